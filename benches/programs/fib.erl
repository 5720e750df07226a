%% Doubly recursive Fibonacci: calls and small-integer arithmetic.
-module(fib).
-export([main/0, main/1]).

main() -> main(["30"]).

main([N]) -> io:format("~w~n", [fib(list_to_integer(N))]).

fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
