%% Bank accounts as processes, with references.
-module(bank).
-export([main/0]).

main() ->
    A = open(100), B = open(50),
    p(transfer(A, B, 30)), p({balance(A), balance(B)}), p(transfer(A, B, 300)), p({balance(A), balance(B)}), p(call(A, {withdraw, 70})), p(call(A, {withdraw, 1})), [X ! stop || X <- [A, B]].
open(N) -> spawn(fun() -> loop(N) end).
loop(N) ->
    receive
        {F, R, {deposit, M}} -> F ! {R, ok}, loop(N + M);
        {F, R, {withdraw, M}} when M =< N -> F ! {R, ok}, loop(N - M);
        {F, R, {withdraw, _}} -> F ! {R, {error, insufficient}}, loop(N);
        {F, R, balance} -> F ! {R, N}, loop(N);
        stop -> ok
    end.
call(P, M) -> R = make_ref(), P ! {self(), R, M}, receive {R, A} -> A after 1000 -> timeout end.
balance(P) -> call(P, balance).
transfer(A, B, N) -> case call(A, {withdraw, N}) of ok -> call(B, {deposit, N}); E -> E end.
p(X) -> io:format("~p~n", [X]).
