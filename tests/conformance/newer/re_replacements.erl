%% Functions as replacements.
-module(re_replacements).
-export([main/0]).

main() ->
    Up = fun(Whole, Groups) -> [$<, string:uppercase(Whole), $|, lists:join(",", Groups), $>] end,
    Calls = [{"abcd", "b(c)", []}, {"abcabc", "b", [global]}, {"abcabc", "(a)(x)?b", [global]}, {"aaa", "", [global]}, {"none", "x", []}, {"h\x{e9}llo \x{20ac}", "[\x{e9}\x{20ac}]", [unicode, global]},
             {<<"2024-02-29">>, "(\\d+)-(\\d+)", []}, {"key=value", "(?<k>\\w+)=(?<v>\\w+)", []}, {"aXbX", "X", [global, {offset, 2}]}],
    [show(io_lib:format("~0tp ~0tp ~0p", [S, R, O]), fun() -> re:replace(S, R, Up, [{return, Type} | O]) end) || {S, R, O} <- Calls, Type <- [list, binary]],
    [show("iodata", fun() -> re:replace(S, R, Up, O) end) || {S, R, O} <- lists:sublist(Calls, 6)],
    show("three", fun() -> iolist_to_binary(re:replace("abc", "b", fun(_, _) -> "&\\1" end)) end),
    show("sum", fun() -> re:replace("1+2+30", "\\d+", fun(N, []) -> integer_to_binary(binary_to_integer(N) * 2) end, [global, {return, list}]) end),
    [show("bad", fun() -> re:replace("abc", "b", F, [{return, list}]) end) || F <- [fun(X) -> X end, x, fun(_, _) -> not_text end, fun(_, _) -> 5 end, [b]]],
    show("error", fun() -> re:replace("abc", "b", fun(_, _) -> error(mine) end) end),
    show("thrown", fun() -> re:replace("abc", "b", fun(_, _) -> throw(mine) end, []) end),
    [explained("text", Fun) || Fun <- [fun() -> re:replace("abc", "b", x) end, fun() -> re:replace("abc", "b", x, [bad]) end, fun() -> re:replace(x, "b", "c") end, fun() -> re:import(x) end]].

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).

%% The text of an error, without the frames of the program.
explained(Name, Fun) ->
    Text =
        try Fun() of
            Result -> io_lib:format("~0tkp", [Result])
        catch
            Class:Reason:Stack ->
                Top = hd(Stack),
                erl_error:format_exception(Class, Reason, [setelement(4, Top, lists:keydelete(line, 1, lists:keydelete(file, 1, element(4, Top))))])
        end,
    io:format("~ts: ~ts~n", [Name, Text]).
