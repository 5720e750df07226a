%% Strict generators over bitstrings.
-module(strict_binaries).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("bytes", fun() -> [X || <<X>> <:= <<1, 2, 3>>] end),
    show("pairs", fun() -> [{X, Y} || <<X, Y>> <:= <<1, 2, 3, 4>>] end),
    show("leftover", fun() -> [{X, Y} || <<X, Y>> <:= <<1, 2, 3>>] end),
    show("leftover bits", fun() -> [X || <<X>> <:= id(<<1, 2:3>>)] end),
    show("no match", fun() -> [X || <<X, 0>> <:= <<1, 0, 2, 1, 3, 0>>] end),
    show("match", fun() -> [X || <<X, 0>> <:= <<1, 0, 2, 0>>] end),
    show("text", fun() -> [X || <<"ab", X>> <:= <<"ab1ab2">>] end),
    show("other text", fun() -> [X || <<"ab", X>> <:= <<"ab1xx2">>] end),
    show("own size", fun() -> [B || <<N, B:N/binary>> <:= <<1, 7, 2, 8, 9>>] end),
    show("own size too large", fun() -> [B || <<N, B:N/binary>> <:= <<1, 7, 3, 8, 9>>] end),
    show("outer size", fun() -> S = id(4), [X || <<X:S>> <:= <<16#1234:16>>] end),
    show("utf8", fun() -> [X || <<X/utf8>> <:= <<"aå€"/utf8>>] end),
    show("floats", fun() -> [X || <<X/float>> <:= <<1.5/float, 2.5/float>>] end),
    show("empty", fun() -> [X || <<X>> <:= <<>>] end),
    show("no binary", fun() -> [X || <<X>> <:= id([])] end),
    show("signed", fun() -> [X || <<X:8/signed>> <:= <<255, 1>>] end),
    show("little", fun() -> [X || <<X:16/little>> <:= <<1, 0, 2, 0>>] end),
    show("binary", fun() -> << <<(X + 1)>> || <<X>> <:= <<1, 2>> >> end),
    show("binary fails", fun() -> << <<X>> || <<X:16>> <:= <<1, 2, 3>> >> end),
    show("map", fun() -> #{X => Y || <<X, Y>> <:= <<1, 2, 3, 4>>} end),
    show("relaxed beside", fun() -> [{X, Y} || <<X>> <:= <<1, 2>>, <<Y:16>> <= <<0, 1, 2>>] end),
    show("filter", fun() -> [X || <<X>> <:= <<1, 2, 3>>, X =/= 2] end),
    show("same variable", fun() -> [X || <<X, X>> <:= <<1, 1, 2, 3>>] end),
    show("in turn", fun() -> [{X, Y} || X <- [<<1>>, <<2, 3>>], <<Y>> <:= X] end).
