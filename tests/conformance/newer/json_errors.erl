%% What json:decode/1 refuses: the reason, the place, and the text.
-module(json_errors).
-export([main/0]).

main() ->
    Texts = [
        <<"">>,
        <<"  ">>,
        <<"x">>,
        <<"tru">>,
        <<"trux">>,
        <<"falsy">>,
        <<"nul">>,
        <<"nulx">>,
        <<"-">>,
        <<"-x">>,
        <<"01">>,
        <<"1.">>,
        <<"1.x">>,
        <<"1e">>,
        <<"1e+">>,
        <<"1ex">>,
        <<"1e999">>,
        <<"-1.5e400">>,
        <<"\"">>,
        <<"\"abc">>,
        <<34,97,9,98,34>>,
        <<"\"\\x\"">>,
        <<"\"\\u12\"">>,
        <<"\"\\u12g4\"">>,
        <<"\"\\ud83d\"">>,
        <<"\"\\ud83dxxxxxx\"">>,
        <<"\"\\ud83d\\u0041\"">>,
        <<"\"\\udc00\"">>,
        <<"[">>,
        <<"[1">>,
        <<"[1,">>,
        <<"[1,]">>,
        <<"[,1]">>,
        <<"[1 2]">>,
        <<"{">>,
        <<"{\"a\"">>,
        <<"{\"a\":">>,
        <<"{\"a\":1">>,
        <<"{\"a\":1,">>,
        <<"{\"a\":1,}">>,
        <<"{a:1}">>,
        <<"{\"a\" 1}">>,
        <<"{\"a\":1 \"b\":2}">>,
        <<"{1:2}">>,
        <<"1 2">>,
        <<"[1]]">>,
        <<"{\"a\":[1,{\"b\":tru}]}">>,
        <<16#FF>>,
        <<$", 16#C3>>,
        <<$", 16#C3, $">>,
        <<$", 16#E2, 16#82, $">>,
        <<$", 16#E0, 16#80, 16#80, $">>,
        <<$", 16#F5, $">>,
        <<$", $a, 16#80, $">>,
        <<$", 16#ED, 16#A0, 16#80, $">>,
        <<$", $\\, $n, 16#F0, 16#9F, $">>,
        <<1>>,
        <<"[1,", 0, "]">>],
    [explained(io_lib:format("~0tp", [Text]), fun() -> json:decode(Text) end) || Text <- Texts],
    [show(io_lib:format("~0tp", [Text]), fun() -> json:decode(Text, ok, #{}) end) || Text <- Texts],
    show("atom", fun() -> json:decode(abc) end),
    show("list", fun() -> json:decode("1") end),
    show("decoder", fun() -> json:decode(<<"1">>, ok, #{integer => x}) end),
    show("decoder", fun() -> json:decode(<<"1">>, ok, #{other => fun(X) -> X end}) end),
    show("decoders", fun() -> json:decode(<<"1">>, ok, []) end).

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
