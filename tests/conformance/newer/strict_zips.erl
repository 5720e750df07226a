%% Zip generators of which some are strict.
-module(strict_zips).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("all strict", fun() -> [{X, Y} || X <:- [1, 2] && Y <:- [a, b]] end),
    show("first strict", fun() -> [{X, Y} || {X} <:- [{1}, {2}] && {Y} <- [{a}, b]] end),
    show("second strict", fun() -> [{X, Y} || {X} <- [{1}, b] && {Y} <:- [{a}, {c}]] end),
    show("strict fails", fun() -> [{X, Y} || {X} <:- [{1}, 2, {3}] && Y <- [a, b, c]] end),
    show("strict fails second", fun() -> [{X, Y} || X <- [a, b, c] && {Y} <:- [{1}, 2, {3}]] end),
    show("skip does not save", fun() -> [{X, Y} || {X} <- [{1}, b] && {Y} <:- [{a}, c]] end),
    show("lengths", fun() -> [{X, Y} || X <:- [1, 2, 3] && Y <:- [a]] end),
    show("lengths, relaxed", fun() -> [{X, Y} || X <:- [1] && Y <- [a, b]] end),
    show("list and binary", fun() -> [{X, Y} || Y <- [a, b] && <<X>> <:= <<1, 2>>] end),
    show("binary does not match", fun() -> [{X, Y} || <<X, 0>> <:= <<1, 0, 2, 1>> && Y <- [a, b]] end),
    show("leftover first", fun() -> [{X, Y} || <<X:16>> <:= <<1, 2, 3>> && Y <- [a]] end),
    show("leftover second", fun() -> [{X, Y} || Y <- [a] && <<X:16>> <:= <<1, 2, 3>>] end),
    show("map and list", fun() -> [{K, V, X} || K := V <:- #{1 => a, 2 => b} && X <- [x, y]] end),
    show("map does not match", fun() -> [{V, X} || _ := {V} <:- #{1 => a} && X <- [x]] end),
    show("map and strict list", fun() -> [{K, X} || K := _ <- #{1 => a} && {X} <:- [x]] end),
    show("of a binary", fun() -> << <<X, Y>> || X <:- [1, 2] && Y <- [3, 4] >> end),
    show("of a map", fun() -> #{X => Y || X <:- [1, 2] && Y <:- [3, 4]} end),
    show("of a map fails", fun() -> #{X => Y || {X} <:- [{1}, 2] && Y <:- [3, 4]} end),
    show("no list", fun() -> [{X, Y} || X <:- id(foo) && Y <:- [1]] end),
    show("improper", fun() -> [{X, Y} || X <:- id([1 | 2]) && Y <:- [1]] end),
    show("then strict", fun() -> [{X, Y, Z} || X <- [1, 2] && Y <- [3, 4], {Z} <:- [{X}, {Y}]] end),
    show("then strict fails", fun() -> [{X, Y, Z} || X <- [1, 2] && Y <- [3, 4], {Z} <:- [{X}, Y]] end),
    show("effects", fun() -> [io:format("~p ~p~n", [X, Y]) || {X} <:- id([{1}, {2}, 3]) && Y <- id([a, b, c])] end).
