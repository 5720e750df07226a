%% Values that json:decode/1 and /3 read.
-module(json_decode).
-export([main/0]).

main() ->
    Texts = [
        <<"1">>,
        <<"-0">>,
        <<"0">>,
        <<"12.5">>,
        <<"-0.0">>,
        <<"1e5">>,
        <<"1E+2">>,
        <<"-2.5e-3">>,
        <<"-0e5">>,
        <<"1.0e308">>,
        <<"123456789012345678901234567890">>,
        <<"true">>,
        <<"false">>,
        <<"null">>,
        <<"\"\"">>,
        <<"\"abc\"">>,
        <<"\"a\\nb\\t\\\"\\\\\\/\\b\\f\\r\"">>,
        <<"\"\\u00e9\\u20ac\\ud83d\\ude00\"">>,
        <<34,195,169,226,130,172,240,159,152,128,34>>,
        <<"[]">>,
        <<"[ ]">>,
        <<"[1,2,3]">>,
        <<"[1, [2, [3, []]]]">>,
        <<"{}">>,
        <<"{ }">>,
        <<"{\"a\":1}">>,
        <<"{\"a\":1,\"b\":[true,false,null],\"c\":{\"d\":\"e\"}}">>,
        <<"{\"a\":1,\"a\":2}">>,
        <<32,10,9,32,49,32,13,32>>,
        <<"[1 , 2]">>,
        <<"{\"k\" : \"v\" }">>,
        <<"\"h\\u0000i\"">>,
        <<"[[],{},\"\",0]">>,
        <<"{\"x\\ny\":{\"z\":[{\"w\":-1.5}]}}">>],
    [show(Text, fun() -> json:decode(Text) end) || Text <- Texts],
    [show(Text, fun() -> json:decode(Text, acc, #{}) end) || Text <- Texts],
    show("rest", fun() -> json:decode(<<"1 2">>, acc, #{}) end),
    show("rest", fun() -> json:decode(<<"[1] , x">>, acc, #{}) end),
    show("rest", fun() -> json:decode(<<"truex">>, acc, #{}) end),
    show("big", fun() -> length(json:decode(iolist_to_binary(["[", lists:join(",", ["1" || _ <- lists:seq(1, 5000)]), "]"]))) end),
    show("deep", fun() -> deep(json:decode(iolist_to_binary([lists:duplicate(2000, "["), lists:duplicate(2000, "]")])), 0) end).

deep([X], N) -> deep(X, N + 1);
deep([], N) -> N.

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
