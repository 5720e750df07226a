%% Strict generators over lists.
-module(strict_lists).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("variables", fun() -> [X || X <:- [1, 2, 3]] end),
    show("tuples", fun() -> [X || {ok, X} <:- [{ok, 1}, {ok, 2}]] end),
    show("no match", fun() -> [X || {ok, X} <:- [{ok, 1}, {error, 2}, {ok, 3}]] end),
    show("no match first", fun() -> [X || {X} <:- [1]] end),
    show("no match last", fun() -> [X || [X] <:- [[1], [2], []]] end),
    show("empty", fun() -> [X || {X} <:- []] end),
    show("improper", fun() -> [X || X <:- id([1 | 2])] end),
    show("improper no match", fun() -> [X || {X} <:- id([{1} | {2}])] end),
    show("no list", fun() -> [X || X <:- id(foo)] end),
    show("filter before", fun() -> [X || {X} <:- [{1}, {2}], X > 1] end),
    show("filter does not save", fun() -> [X || {X} <:- [{1}, 2], X > 1] end),
    show("relaxed first", fun() -> [{X, Y} || {X} <- [{[1]}, b, {[2]}], Y <:- X] end),
    show("strict first", fun() -> [{X, Y} || {X} <:- [{[1, a]}, {[2]}], Y <- X, is_integer(Y)] end),
    show("inner fails", fun() -> [Y || X <- [[{1}], [2]], {Y} <:- X] end),
    show("records", fun() -> [A || {r, A} <:- [{r, 1}, {s, 2}]] end),
    show("literals", fun() -> [ok || 1 <:- [1, 1]] end),
    show("float literals", fun() -> [ok || 1 <:- [1, 1.0]] end),
    show("strings", fun() -> [R || "a" ++ R <:- ["ab", "a", "b"]] end),
    show("maps", fun() -> [A || #{a := A} <:- [#{a => 1}, #{b => 2}]] end),
    show("binaries", fun() -> [A || <<A, _/binary>> <:- [<<1>>, <<2, 3>>, <<>>]] end),
    show("same variable", fun() -> [X || {X, X} <:- [{1, 1}, {1, 2}]] end),
    show("shadowed", fun() -> X = id(5), [X || X <:- [1, 2]] ++ [X] end),
    show("outer size", fun() -> S = id(8), [V || <<V:S>> <:- [<<1>>, <<2:7>>]] end),
    show("effects", fun() -> [io:format("~p~n", [X]) || {X} <:- id([{1}, {2}, 3])] end),
    show("binary", fun() -> << <<X>> || {X} <:- [{1}, {2}] >> end),
    show("binary fails", fun() -> << <<X>> || {X} <:- [{1}, 2] >> end),
    show("map", fun() -> #{K => V || {K, V} <:- [{1, a}, {2, b}]} end),
    show("map fails", fun() -> #{K => V || {K, V} <:- [{a, 1}, b]} end).
