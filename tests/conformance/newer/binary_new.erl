%% binary:join/2, hex in small letters, and what is said of wrong arguments.
-module(binary_new).
-export([main/0]).

main() ->
    [show(io_lib:format("join ~0p ~0p", [Parts, S]), fun() -> binary:join(Parts, S) end)
     || Parts <- [[], [<<"a">>], [<<"a">>, <<"b">>, <<>>, <<"c">>], [a], [<<"a">>, b], [<<"a">> | <<"b">>], x, [<<1:3>>], [<<"a">>, <<1:3>>], ["a", "b"]], S <- [<<", ">>, <<>>, ",", <<1:1>>, x]],
    [show(io_lib:format("encode_hex ~0p ~0p", [B, C]), fun() -> binary:encode_hex(B, C) end) || B <- [<<>>, <<0, 255, 171>>, <<"text">>, x, <<1:3>>], C <- [uppercase, lowercase, other]],
    [show(io_lib:format("decode_hex ~0p", [B]), fun() -> binary:decode_hex(B) end) || B <- [<<>>, <<"00ffAB">>, <<"0">>, <<"0g">>, x, "00", <<1:4>>]],
    show("encode_hex", fun() -> binary:encode_hex(x) end),
    show("list", fun() -> binary:join(lists:duplicate(1000, <<"ab">>), <<"-">>) =:= iolist_to_binary(lists:join("-", lists:duplicate(1000, "ab"))) end),
    [explained("text", F) || F <- [fun() -> binary:join([a], <<>>) end, fun() -> binary:join(x, <<>>) end, fun() -> binary:join([<<>> | x], <<>>) end, fun() -> binary:join([], x) end,
        fun() -> binary:join(x, x) end, fun() -> binary:encode_hex(x, lowercase) end, fun() -> binary:encode_hex(<<>>, x) end, fun() -> binary:encode_hex(x, x) end, fun() -> binary:decode_hex(<<"0g">>) end,
        fun() -> binary:decode_hex(<<"0">>) end, fun() -> binary:decode_hex(x) end, fun() -> binary:replace(<<"a">>, <<"b">>, x) end, fun() -> binary:replace(<<"a">>, <<"a">>, x, []) end]].

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
