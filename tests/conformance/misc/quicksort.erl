%% Programs from textbooks: sorting, primes, queens, hanoi, trees, anagrams.
-module(quicksort).
-export([main/0]).

main() ->
    p(qsort([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])), p(msort([3, 1, 4, 1, 5, 9, 2, 6])), p(primes(60)), p(length(queens(6))), p(hd(queens(8))), p(perms([a, b, c])), p(tree_to_list(lists:foldl(fun insert/2, nil, [5, 2, 8, 1, 9, 3]))), p(collatz(27)), p(roman(1994)), p(caesar("Hello, World", 3)), p(anagrams(["listen", "silent", "enlist", "google", "elgoog"])), p(matrix([[1, 2], [3, 4]], [[5, 6], [7, 8]])), p(flatten([1, [2, [3, [4]], 5]])), p(rle("aaabbc")), p(pascal(6)), p(fizz(15)), p(perfect(30)), p(wc("the cat the dog a cat the")), p(to_binary(10)), p(palindrome("racecar")), p(gcd(48, 36)), p(zip3([1, 2], [a, b], ["x", "y"])), p(powerset([1, 2, 3])).
qsort([]) -> [];
qsort([P | T]) -> qsort([X || X <- T, X < P]) ++ [P] ++ qsort([X || X <- T, X >= P]).
msort([]) -> [];
msort([X]) -> [X];
msort(L) -> {A, B} = lists:split(length(L) div 2, L), merge(msort(A), msort(B)).
merge([], B) -> B;
merge(A, []) -> A;
merge([A | As], [B | _] = Bs) when A =< B -> [A | merge(As, Bs)];
merge(As, [B | Bs]) -> [B | merge(As, Bs)].
primes(N) -> sieve(lists:seq(2, N)).
sieve([]) -> [];
sieve([P | T]) -> [P | sieve([X || X <- T, X rem P =/= 0])].
queens(N) -> queens(N, N).
queens(0, _) -> [[]];
queens(K, N) -> [[Q | B] || B <- queens(K - 1, N), Q <- lists:seq(1, N) -- B, safe(Q, 1, B)].
safe(_, _, []) -> true;
safe(Q, D, [H | T]) -> Q =/= H + D andalso Q =/= H - D andalso safe(Q, D + 1, T).
perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- [H])].
insert(X, nil) -> {nil, X, nil};
insert(X, {L, Y, R}) when X < Y -> {insert(X, L), Y, R};
insert(X, {L, Y, R}) -> {L, Y, insert(X, R)}.
tree_to_list(nil) -> [];
tree_to_list({L, X, R}) -> tree_to_list(L) ++ [X | tree_to_list(R)].
collatz(1) -> 0;
collatz(N) when N rem 2 =:= 0 -> 1 + collatz(N div 2);
collatz(N) -> 1 + collatz(3 * N + 1).
roman(N) -> roman(N, [{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}]).
roman(0, _) -> "";
roman(N, [{V, S} | _] = T) when N >= V -> S ++ roman(N - V, T);
roman(N, [_ | T]) -> roman(N, T).
caesar(S, K) -> [if C >= $a, C =< $z -> (C - $a + K) rem 26 + $a; C >= $A, C =< $Z -> (C - $A + K) rem 26 + $A; true -> C end || C <- S].
anagrams(Ws) -> D = lists:foldl(fun(W, A) -> dict:append(lists:sort(W), W, A) end, dict:new(), Ws), lists:sort([lists:sort(V) || {_, V} <- dict:to_list(D)]).
matrix(A, B) -> [[lists:sum([X * Y || {X, Y} <- lists:zip(R, C)]) || C <- transpose(B)] || R <- A].
transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].
flatten([]) -> [];
flatten([H | T]) when is_list(H) -> flatten(H) ++ flatten(T);
flatten([H | T]) -> [H | flatten(T)].
rle([]) -> [];
rle([H | T]) -> {Same, Rest} = lists:splitwith(fun(X) -> X =:= H end, T), [{length(Same) + 1, [H]} | rle(Rest)].
pascal(1) -> [[1]];
pascal(N) -> [L | _] = P = pascal(N - 1), [lists:zipwith(fun(A, B) -> A + B end, [0 | L], L ++ [0]) | P].
fizz(N) -> [case {X rem 3, X rem 5} of {0, 0} -> fizzbuzz; {0, _} -> fizz; {_, 0} -> buzz; _ -> X end || X <- lists:seq(1, N)].
perfect(N) -> [X || X <- lists:seq(2, N), X =:= lists:sum([D || D <- lists:seq(1, X div 2), X rem D =:= 0])].
wc(S) -> lists:sort(dict:to_list(lists:foldl(fun(W, D) -> dict:update_counter(W, 1, D) end, dict:new(), string:tokens(S, " ")))).
to_binary(N) -> integer_to_list(N, 2).
palindrome(S) -> S =:= lists:reverse(S).
gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).
zip3([], [], []) -> [];
zip3([A | X], [B | Y], [C | Z]) -> [{A, B, C} | zip3(X, Y, Z)].
powerset([]) -> [[]];
powerset([H | T]) -> P = powerset(T), [[H | S] || S <- P] ++ P.
p(X) -> io:format("~p~n", [X]).
