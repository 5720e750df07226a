%% Zip generators over maps, and maps of them.
-module(zip_maps).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("map and list", fun() -> [{K, V, X} || K := V <- #{1 => a, 2 => b} && X <- [x, y]] end),
    show("list and map", fun() -> [{X, K, V} || X <- [x, y] && K := V <- #{1 => a, 2 => b}] end),
    show("two maps", fun() -> [{K1, V1, K2, V2} || K1 := V1 <- #{1 => a} && K2 := V2 <- #{2 => b}] end),
    show("map of lists", fun() -> #{K => V || K <- [1, 2, 3] && V <- [a, b, c]} end),
    show("map of a map", fun() -> #{V => X || _ := V <- #{1 => p, 2 => q} && X <- [10, 20]} end),
    show("twice the key", fun() -> #{K => V || K <- [1, 2, 1] && V <- [1, 2, 3]} end),
    show("map and binary", fun() -> #{K => B || K := _ <- #{1 => a, 2 => b} && <<B>> <= <<7, 8>>} end),
    show("iterator", fun() -> [{K, V, X} || K := V <- maps:iterator(#{1 => a, 2 => b}) && X <- [x, y]] end),
    show("done", fun() -> [{K, X} || K := _ <- id(none) && X <- id([])] end),
    show("empty", fun() -> [{K, X} || K := _ <- #{} && X <- []] end),
    show("too few", fun() -> [{K, X} || K := _ <- #{1 => a, 2 => b} && X <- [x]] end),
    show("too many", fun() -> [{K, X} || X <- [x, y, z] && K := _ <- #{1 => a, 2 => b}] end),
    show("at once", fun() -> [{K, X} || X <- [] && K := _ <- #{1 => a}] end),
    show("skip", fun() -> [{K, V, X} || K := {V} <- #{1 => {a}, 2 => b, 3 => {c}} && X <- [x, y, z]] end),
    show("skip key", fun() -> [{V, X} || {_} := V <- #{{1} => a} && X <- [x]] end),
    show("no map", fun() -> [{K, X} || K := _ <- id(foo) && X <- [x]] end),
    show("a list is no map", fun() -> [{K, X} || K := _ <- id([]) && X <- []] end),
    show("no map second", fun() -> [{K, X} || X <- id(bar) && K := _ <- id(3)] end),
    show("filter", fun() -> #{K => V || K <- [1, 2, 3] && V <- [a, b, c], V =/= b} end),
    show("in turn", fun() -> #{{K, X} => V || K <- [1, 2] && V <- [1, 2], X <- [V, -K]} end),
    show("binary", fun() -> << <<K, V>> || K := _ <- #{1 => a, 2 => b} && V <- [3, 4] >> end).
