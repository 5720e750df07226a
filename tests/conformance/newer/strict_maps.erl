%% Strict generators over maps.
-module(strict_maps).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("variables", fun() -> [{K, V} || K := V <:- #{1 => a, 2 => b}] end),
    show("values", fun() -> [V || _ := {V} <:- #{1 => {a}, 2 => {b}}] end),
    show("no match of a value", fun() -> [V || _ := {V} <:- #{1 => a}] end),
    show("no match of a key", fun() -> [V || {_} := V <:- #{1 => a}] end),
    show("empty", fun() -> [V || {_} := V <:- #{}] end),
    show("no map", fun() -> [K || K := _ <:- id(foo)] end),
    show("a list is no map", fun() -> [K || K := _ <:- id([])] end),
    show("pairs are no map", fun() -> [K || K := _ <:- id([{a, b}])] end),
    show("none", fun() -> [K || K := _ <:- id(none)] end),
    show("same variable", fun() -> [X || X := X <:- #{1 => 1}] end),
    show("other", fun() -> [X || X := X <:- #{1 => 2}] end),
    show("map", fun() -> #{V => K || K := V <:- #{a => 1}} end),
    show("map fails", fun() -> #{V => K || K := {V} <:- #{a => 1}} end),
    show("binary", fun() -> << <<K, V>> || K := V <:- #{1 => 2} >> end),
    show("filter", fun() -> #{K => V || K := V <:- #{1 => 1, 2 => 2, 3 => 3}, V rem 2 =:= 1} end),
    show("nested", fun() -> [{K, A, B} || K := M <:- #{x => #{p => 1}}, A := B <:- M] end),
    show("nested fails", fun() -> [{K, A, B} || K := M <:- #{x => 5}, A := B <:- M] end),
    show("relaxed beside", fun() -> [{K, L} || K := _ <:- #{1 => a}, {L} := _ <- #{{1} => a, 2 => b}] end),
    show("shadowed", fun() -> K = id(9), [K || K := _ <:- #{1 => a}] ++ [K] end).
