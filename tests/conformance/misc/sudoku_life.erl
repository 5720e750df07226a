%% Sudoku by backtracking over bit sets, Conway's life with ordsets, matrices with list comprehensions.
-module(sudoku_life).
-export([main/0]).
main() ->
    P = "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
    case solve(P) of {ok, S} -> grid(S); no -> io:format("no solution~n") end,

    io:format("~p~n", [caught(fun() -> solve("12x") end)]),
    Glider = ordsets:from_list([{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}]),
    lists:foldl(fun(N, C) -> io:format("gen ~w: ~w~n", [N, C]), show(C, 6), step(C) end, Glider, lists:seq(0, 3)),
    A = [[1, 2], [3, 4], [5, 6]], B = [[1, 0, 2], [0, 1, 3]],
    io:format("~p~n~p~n", [mul(A, B), transpose(A)]),
    io:format("~p~n", [element(1, caught(fun() -> mul(A, A) end))]),
    io:format("~p ~p~n", [det([[2, 0, 1], [1, 3, 2], [1, 1, 1]]), det([[1.5, 2], [3, 4.25]])]),
    io:format("~p~n", [inverse([[4, 7], [2, 6]])]),
    io:format("~p~n", [caught(fun() -> inverse([[1, 2], [2, 4]]) end)]),
    io:format("~w~n", [power([[1, 1], [1, 0]], 90)]),
    io:format("~w~n", [primes(60)]),
    io:format("~w~n", [[fizz(N) || N <- lists:seq(1, 15)]]),
    io:format("~p~n", [hanoi(3, a, b, c)]),
    io:format("~p~n", [length(queens(6))]),
    io:format("~p~n", [hd(queens(8))]),
    io:format("~p~n", [perms([1, 2, 3])]).
solve(S) -> search(maps:from_list([{I, C - $0} || {I, C} <- lists:zip(lists:seq(0, 80), S)])).
search(G) ->
    case [{length(cands(I, G)), I} || {I, 0} <- lists:sort(maps:to_list(G))] of
        [] -> {ok, [maps:get(I, G) || I <- lists:seq(0, 80)]};
        L -> {_, I} = lists:min(L), try_all(cands(I, G), I, G)
    end.
try_all([], _, _) -> no;
try_all([V | Vs], I, G) -> case search(G#{I := V}) of no -> try_all(Vs, I, G); Ok -> Ok end.
cands(I, G) ->
    R = I div 9, C = I rem 9,
    Used = lists:foldl(fun(J, Acc) -> Acc bor (1 bsl maps:get(J, G)) end, 0,
        [R * 9 + X || X <- lists:seq(0, 8)] ++ [X * 9 + C || X <- lists:seq(0, 8)] ++ [(R div 3 * 3 + X div 3) * 9 + C div 3 * 3 + X rem 3 || X <- lists:seq(0, 8)]),
    [V || V <- lists:seq(1, 9), Used band (1 bsl V) =:= 0].
grid([]) -> ok;
grid(L) -> {Row, Rest} = lists:split(9, L), io:format("~s~n", [lists:join(" ", [integer_to_list(D) || D <- Row])]), grid(Rest).
step(Cells) ->
    Counts = lists:foldl(fun(C, M) -> maps:update_with(C, fun(N) -> N + 1 end, 1, M) end, #{}, [{X + DX, Y + DY} || {X, Y} <- Cells, DX <- [-1, 0, 1], DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}]),
    ordsets:from_list([C || {C, N} <- maps:to_list(Counts), N =:= 3 orelse (N =:= 2 andalso ordsets:is_element(C, Cells))]).
show(Cells, N) -> [io:format("~s~n", [[case ordsets:is_element({X, Y}, Cells) of true -> $#; false -> $. end || X <- lists:seq(0, N)]]) || Y <- lists:seq(0, N - 2)].
transpose([[] | _]) -> [];
transpose(M) -> [[hd(R) || R <- M] | transpose([tl(R) || R <- M])].
mul(A, B) -> Bt = transpose(B), [[lists:sum(lists:zipwith(fun(X, Y) -> X * Y end, R, C)) || C <- Bt] || R <- A].
det([[X]]) -> X;
det([[]]) -> 1;
det([R | Rest]) -> lists:sum([sign(I) * lists:nth(I, R) * det([drop(I, Row) || Row <- Rest]) || I <- lists:seq(1, length(R))]).
sign(I) when I rem 2 =:= 1 -> 1;
sign(_) -> -1.
drop(I, L) -> {A, [_ | B]} = lists:split(I - 1, L), A ++ B.
inverse([[A, B], [C, D]]) -> K = 1 / (A * D - B * C), [[D * K, -B * K], [-C * K, A * K]].
power(_, 0) -> [[1, 0], [0, 1]];
power(M, N) when N rem 2 =:= 0 -> H = power(M, N div 2), mul(H, H);
power(M, N) -> mul(M, power(M, N - 1)).
primes(N) -> sieve(lists:seq(2, N)).
sieve([]) -> [];
sieve([P | Xs]) -> [P | sieve([X || X <- Xs, X rem P =/= 0])].
fizz(N) -> case {N rem 3, N rem 5} of {0, 0} -> fizzbuzz; {0, _} -> fizz; {_, 0} -> buzz; _ -> N end.
hanoi(0, _, _, _) -> [];
hanoi(N, A, B, C) -> hanoi(N - 1, A, C, B) ++ [{A, B}] ++ hanoi(N - 1, C, B, A).
queens(N) -> queens(N, N).
queens(0, _) -> [[]];
queens(K, N) -> [[Q | Qs] || Qs <- queens(K - 1, N), Q <- lists:seq(1, N) -- Qs, safe(Q, Qs, 1)].
safe(_, [], _) -> true;
safe(Q, [X | Xs], D) -> Q =/= X + D andalso Q =/= X - D andalso safe(Q, Xs, D + 1).
perms([]) -> [[]];
perms(L) -> [[H | T] || H <- L, T <- perms(L -- [H])].
caught(F) -> try F() catch C:R -> {C, R} end.
