%% Digits of large numbers: factorials, powers, e and pi by integer arithmetic.
-module(bigfact).
-export([main/0]).

main() -> io:format("~w~n", [fact(100)]), io:format("~w~n", [lists:sum([C - $0 || C <- integer_to_list(fact(500))])]), io:format("~s~n", [pi(60)]), io:format("~w~n", [isqrt(2 * pow(10, 100))]), io:format("~w~n", [powmod(3, 1000003, 1000000007)]), io:format("~w~n", [modinv(3, 1000000007)]), io:format("~w~n", [binom(200, 100)]).
fact(0) -> 1;
fact(N) -> N * fact(N - 1).
pow(_, 0) -> 1;
pow(X, N) when N rem 2 =:= 0 -> Y = pow(X, N div 2), Y * Y;
pow(X, N) -> X * pow(X, N - 1).
pi(D) -> One = pow(10, D + 5), P = 4 * (4 * arccot(5, One) - arccot(239, One)), integer_to_list(P div pow(10, 5)).
arccot(X, One) -> arccot(X * X, One div X, 1, 1, 0).
arccot(_, 0, _, _, S) -> S;
arccot(X2, T, N, Sign, S) -> arccot(X2, T div X2, N + 2, -Sign, S + Sign * (T div N)).
isqrt(N) -> isqrt(N, N).
isqrt(N, X) -> Y = (X + N div X) div 2, if Y >= X -> X; true -> isqrt(N, Y) end.
powmod(_, 0, _) -> 1;
powmod(B, E, M) when E rem 2 =:= 0 -> P = powmod(B, E div 2, M), P * P rem M;
powmod(B, E, M) -> B * powmod(B, E - 1, M) rem M.
modinv(A, M) -> powmod(A, M - 2, M).
binom(N, K) -> fact(N) div (fact(K) * fact(N - K)).
