%% A text in parts: decode_start/3 and decode_continue/2.
-module(json_stream).
-export([main/0]).

main() ->
    Texts = [<<"{\"key\":[1,2.5e3,\"text\\u00e9\\ud83d\\ude00\\n\",true,false,null,{}],\"k2\":-12}">>, <<"  [ 12 , \"abc\" ]  x">>, <<"12345">>, <<"1.5e2">>,
             <<"\"h\x{c3}\x{a9}\"">>, <<"[1,2">>, <<"tru">>, <<"1e999">>, <<"[1,,2]">>, <<"\"\\u12">>, <<"null">>],
    [show(Text, fun() -> in_parts(Text, N) end) || Text <- Texts, N <- [1, 2, 3, 7]],
    {continue, State} = json:decode_start(<<"[1,">>, acc, #{}),
    show("end", fun() -> json:decode_continue(end_of_input, State) end),
    show("more", fun() -> json:decode_continue(<<"2]">>, State) end),
    show("twice", fun() -> json:decode_continue(<<"3]  ">>, State) end),
    show("wrong", fun() -> json:decode_continue(<<"]">>, State) end),
    show("list", fun() -> json:decode_continue("2]", State) end),
    {continue, Number} = json:decode_start(<<"12">>, acc, #{}),
    show("number", fun() -> json:decode_continue(end_of_input, Number) end),
    show("number", fun() -> json:decode_continue(<<"3">>, Number) end),
    show("number", fun() -> json:decode_continue(<<" ">>, Number) end),
    {continue, Float} = json:decode_start(<<"1.5">>, acc, #{float => fun(B) -> {f, B} end}),
    show("float", fun() -> json:decode_continue(<<"e3 7">>, Float) end),
    show("float", fun() -> json:decode_continue(end_of_input, Float) end),
    show("done", fun() -> json:decode_start(<<"[] []">>, acc, #{}) end),
    show("empty", fun() -> element(1, json:decode_start(<<>>, acc, #{})) end).

in_parts(Text, N) -> step(json:decode_start(part(Text, N), 0, #{}), rest(Text, N), N).

step({continue, State}, <<>>, _) -> json:decode_continue(end_of_input, State);
step({continue, State}, Text, N) -> step(json:decode_continue(part(Text, N), State), rest(Text, N), N);
step(Done, Text, _) -> {Done, Text}.

part(Text, N) -> binary_part(Text, 0, min(N, byte_size(Text))).
rest(Text, N) -> binary_part(Text, min(N, byte_size(Text)), max(0, byte_size(Text) - N)).

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
