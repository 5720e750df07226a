%% Clauses, guards, recursion, arities, local and remote calls.
-module(functions).
-export([main/0]).

-export([remote/1, remote/2, twice/2]).

main() ->
    io:format("~w ~w~n", [fact(10), fact(25)]),
    io:format("~w~n", [[fib(N) || N <- lists:seq(0, 20)]]),
    io:format("~w ~w~n", [functions:remote(1), functions:remote(1, 2)]),
    io:format("~w ~w~n", [?MODULE:remote(x), ?FUNCTION_NAME]),
    M = functions, G = twice,
    io:format("~w~n", [M:G(fun(X) -> X * X end, 3)]),
    io:format("~w~n", [apply(M, G, [fun(X) -> X + 1 end, 3])]),
    io:format("~w~n", [apply(fun erlang:'+'/2, [1, 2])]),
    io:format("~w ~w~n", [even(1000), odd(1001)]),
    io:format("~w~n", [ackermann(2, 9)]),
    io:format("~w~n", [hanoi(5, a, b, c)]).

remote(X) -> {one, X}.
remote(X, Y) -> {two, X, Y}.

twice(F, X) -> F(F(X)).

fact(0) -> 1;
fact(N) when N > 0 -> N * fact(N - 1).

fib(0) -> 0;
fib(1) -> 1;
fib(N) -> fib(N - 1) + fib(N - 2).

even(0) -> true;
even(N) -> odd(N - 1).
odd(0) -> false;
odd(N) -> even(N - 1).

ackermann(0, N) -> N + 1;
ackermann(M, 0) -> ackermann(M - 1, 1);
ackermann(M, N) -> ackermann(M - 1, ackermann(M, N - 1)).

hanoi(0, _, _, _) -> 0;
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) + 1 + hanoi(N - 1, C, B, A).
