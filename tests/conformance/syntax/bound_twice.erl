%% The same new variable on both sides of a match: the value binds it, and is compared with it.
-module(bound_twice).
-export([main/0]).

main() ->
    io:format("~p~n", [same({1, 2})]),
    io:format("~p~n", [chain({1, 2})]),
    io:format("~p~n", [catch part(1)]),
    io:format("~p~n", [catch branch(a)]),
    io:format("~p~n", [own_names()]).

same({_, T}) -> X = X = T + 1, {X, T}.

chain({A, B}) -> X = Y = X = Y = A + B, {X, Y}.

part(N) ->
    X = {N, X = N},
    X.

branch(A) ->
    X = case A of a -> X = 1, {X}; b -> X = 2 end,
    X.

%% Those of a fun and of a comprehension are others.
own_names() ->
    F = fun() -> F = 1, F end,
    L = [L || L <- [1, 2]],
    {F(), L}.
