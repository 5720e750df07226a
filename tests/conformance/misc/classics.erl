-module(classics).
-export([main/0]).
queens(N) -> queens(N, N, [[]]).
queens(0, _, Bs) -> Bs;
queens(K, N, Bs) -> queens(K - 1, N, [[Q | B] || B <- Bs, Q <- lists:seq(1, N), safe(Q, B, 1)]).
safe(_, [], _) -> true;
safe(Q, [X | Xs], D) -> Q =/= X andalso abs(Q - X) =/= D andalso safe(Q, Xs, D + 1).
hanoi(0, _, _, _) -> [];
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) ++ [{A, C}] ++ hanoi(N - 1, B, A, C).
perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- [H])].
sieve([]) -> []; sieve([P | Xs]) -> [P | sieve([X || X <- Xs, X rem P =/= 0])].
collatz(1) -> [1]; collatz(N) when N rem 2 =:= 0 -> [N | collatz(N div 2)]; collatz(N) -> [N | collatz(3 * N + 1)].
roman(0) -> ""; roman(N) -> {V, S} = hd([X || {W, _} = X <- [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}], W =< N]), S ++ roman(N - V).
ack(0, N) -> N + 1; ack(M, 0) -> ack(M - 1, 1); ack(M, N) -> ack(M - 1, ack(M, N - 1)).
gcd(A, 0) -> A; gcd(A, B) -> gcd(B, A rem B).
pascal(1) -> [[1]]; pascal(N) -> L = pascal(N - 1), [H | _] = L, [lists:zipwith(fun(X, Y) -> X + Y end, [0 | H], H ++ [0]) | L].
matmul(A, B) -> Bt = transpose(B), [[lists:sum(lists:zipwith(fun(X, Y) -> X * Y end, R, C)) || C <- Bt] || R <- A].
transpose([[] | _]) -> []; transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].
det([[X]]) -> X;
det([H | T]) -> lists:sum([S * X * det([begin {L, [_ | R]} = lists:split(I, Row), L ++ R end || Row <- T]) || {X, I, S} <- lists:zip3(H, lists:seq(0, length(H) - 1), [if J rem 2 =:= 0 -> 1; true -> -1 end || J <- lists:seq(0, length(H) - 1)])]).
rle(S) -> lists:reverse(lists:foldl(fun(C, [{C, N} | T]) -> [{C, N + 1} | T]; (C, A) -> [{C, 1} | A] end, [], S)).
caesar(S, N) -> [case C of _ when C >= $a, C =< $z -> (C - $a + N) rem 26 + $a; _ when C >= $A, C =< $Z -> (C - $A + N) rem 26 + $A; _ -> C end || C <- S].
lev(A, B) -> lists:last(lists:foldl(fun(CA, [H | _] = Prev) -> lev_row(CA, B, Prev, [H + 1]) end, lists:seq(0, length(B)), A)).
lev_row(_, [], _, Acc) -> lists:reverse(Acc);
lev_row(CA, [CB | Bs], [D, U | Ps], [L | _] = Acc) -> lev_row(CA, Bs, [U | Ps], [lists:min([U + 1, L + 1, D + (if CA =:= CB -> 0; true -> 1 end)]) | Acc]).
lcs(A, B) -> {R, _} = lcs(A, B, #{}), R.
lcs([], _, M) -> {[], M}; lcs(_, [], M) -> {[], M};
lcs([H | A] = X, [H | B] = Y, M) -> memo({X, Y}, M, fun() -> {R, M1} = lcs(A, B, M), {[H | R], M1} end);
lcs([_ | A] = X, [_ | B] = Y, M) -> memo({X, Y}, M, fun() -> {R1, M1} = lcs(A, Y, M), {R2, M2} = lcs(X, B, M1), {case length(R1) >= length(R2) of true -> R1; false -> R2 end, M2} end).
memo(K, M, F) -> case M of #{K := V} -> {V, M}; _ -> {R, M1} = F(), {R, M1#{K => R}} end.
main() ->
    io:format("~p ~p~n", [length(queens(6)), hd(queens(8))]),
    io:format("~p~n", [hanoi(3, a, b, c)]),
    io:format("~w~n", [perms([1, 2, 3])]),
    io:format("~w~n", [sieve(lists:seq(2, 60))]),
    io:format("~p~n", [collatz(27)]),
    io:format("~p~n", [[roman(N) || N <- [1, 4, 9, 14, 1999, 2024]]]),
    io:format("~p ~p~n", [ack(2, 3), gcd(1071, 462)]),
    [io:format("~*s~n", [40 div 2 + length(S) div 2, S]) || R <- lists:reverse(pascal(6)), S <- [lists:flatten(lists:join(" ", [integer_to_list(X) || X <- R]))]],
    io:format("~w ~w~n", [matmul([[1, 2], [3, 4]], [[5, 6], [7, 8]]), det([[2, 0, 1], [1, 3, 2], [1, 1, 4]])]),
    io:format("~p~n", [rle("aaabbc")]),
    io:format("~s ~s~n", [caesar("Hello, World", 3), caesar(caesar("Hello", 3), 23)]),
    io:format("~p ~p~n", [lev("kitten", "sitting"), lcs("human", "chimpanzee")]),
    io:format("~p~n", [lists:foldl(fun(X, {A, B}) -> {B, A + B + X - X} end, {0, 1}, lists:seq(1, 100))]),
    [io:format("~s~n", [case {I rem 3, I rem 5} of {0, 0} -> "FizzBuzz"; {0, _} -> "Fizz"; {_, 0} -> "Buzz"; _ -> integer_to_list(I) end]) || I <- lists:seq(1, 15)],
    io:format("~ts~n", [[lists:nth(1 + (X * X + Y * Y) rem 4, [$\s, $., $o, 16#2588]) || X <- lists:seq(1, 9), Y <- lists:seq(1, 3)]]),
    io:format("~.3f ~10.2e ~g~n", [math:pi(), 12345.678, 0.1]).
