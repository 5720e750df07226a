%% Map comprehensions and generators over maps.
-module(map_comprehensions).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("from a list", fun() -> #{X => X * X || X <- [1, 2, 3]} end),
    show("from pairs", fun() -> #{K => V || {K, V} <- [{1, a}, {2, b}, c]} end),
    show("from a map", fun() -> #{{V} => K || K := V <- #{1 => 5, 2 => 6}} end),
    show("last wins", fun() -> #{K => V || {K, V} <- [{a, 1}, {a, 2}]} end),
    show("two generators", fun() -> #{{X, Y} => X + Y || X <- [1, 2], Y <- [3, 4]} end),
    show("filter", fun() -> #{K => V || K := V <- #{1 => 10, 2 => 20, 3 => 30}, K rem 2 =:= 1, V > 10} end),
    show("bytes", fun() -> #{X => true || <<X>> <= <<"abca">>} end),
    show("list of a map", fun() -> [{K, V} || K := V <- #{1 => a, 2 => b, 3 => c}] end),
    show("patterns", fun() -> [V || {K, _} := [V] <- #{{1, a} => [x], {2, b} => [y, z], c => [w]}, K > 0] end),
    show("same variable", fun() -> [X || X := X <- #{1 => 1, 2 => 3}] end),
    show("binary of a map", fun() -> << <<K, V>> || K := V <- #{1 => 2, 3 => 4} >> end),
    show("map in a map", fun() -> [{A, B, V} || A := M <- #{x => #{1 => p, 2 => q}}, B := V <- M] end),
    show("map values", fun() -> #{K => #{V => K || V <- L} || K := L <- #{1 => [7, 8]}} end),
    show("shadowed", fun() -> K = id(5), #{K => K || K <- [1]} end),
    show("captured", fun() -> N = id(5), #{K => K + N || K <- [1]} end),
    show("empty", fun() -> {#{K => V || K := V <- #{}}, #{K => K || K <- []}} end),
    show("iterator", fun() -> #{K => V || K := V <- maps:iterator(#{1 => a})} end),
    show("none", fun() -> [K || K := _ <- id(none)] end),
    show("no map", fun() -> [K || K := _ <- id([])] end),
    show("pairs", fun() -> [K || K := _ <- id([{a, 1}])] end),
    show("number", fun() -> #{K => V || K := V <- id(7)} end),
    show("template fails", fun() -> #{K => 1 div K || K <- [1, 0]} end),
    show("large", fun() -> M = #{X => -X || X <- lists:seq(1, 200)}, {map_size(M), lists:sum([V || _ := V <- M]), lists:sort([K || K := _ <- M]) =:= lists:seq(1, 200)} end),
    show("of floats and integers", fun() -> #{X => a || X <- [1, 1.0]} end).
