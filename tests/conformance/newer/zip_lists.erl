%% Zip generators over lists.
-module(zip_lists).
-export([main/0]).

show(Name, Fun) ->
    io:format("~s: ~p~n", [Name, try Fun() catch Class:Reason -> {Class, Reason} end]).

id(X) -> X.

main() ->
    show("two", fun() -> [{X, Y} || X <- [1, 2, 3] && Y <- [a, b, c]] end),
    show("three", fun() -> [{X, Y, Z} || X <- [1, 2] && Y <- "ab" && Z <- [x, y]] end),
    show("sums", fun() -> [X + Y || X <- lists:seq(1, 10) && Y <- lists:seq(11, 20)] end),
    show("empty", fun() -> [{X, Y} || X <- [] && Y <- []] end),
    show("filter", fun() -> [{X, Y} || X <- [1, 2, 3, 4] && Y <- [4, 3, 2, 1], X < Y] end),
    show("filters", fun() -> [{X, Y} || X <- [1, 2, 3, 4] && Y <- [4, 3, 2, 1], X < Y, Y rem 2 =:= 1] end),
    show("same value twice", fun() -> L = id([1, 2, 3]), [{X, Y} || X <- L && Y <- tl(L) ++ [last]] end),
    show("outer variable", fun() -> N = id(10), [X * N + Y || X <- [1, 2] && Y <- [3, 4]] end),
    show("after a generator", fun() -> [{A, X, Y} || A <- [p, q], X <- [1, 2] && Y <- [3, 4]] end),
    show("before a generator", fun() -> [{X, Y, A} || X <- [1, 2] && Y <- [3, 4], A <- [X, Y]] end),
    show("of earlier variables", fun() -> [{L, X, Y} || L <- [[1, 2], [3, 4]], X <- L && Y <- lists:reverse(L)] end),
    show("two zips", fun() -> [{X, Y, P, Q} || X <- [1, 2] && Y <- [3, 4], P <- [a, b] && Q <- [X, Y]] end),
    show("tuples", fun() -> [A * D - B * C || {A, B} <- [{1, 2}, {3, 4}] && {C, D} <- [{5, 6}, {7, 8}]] end),
    show("nested", fun() -> [[X || {X, _} <- [{P, Q}]] || P <- [1, 2] && Q <- [3, 4]] end),
    show("template zips", fun() -> [[A + B || A <- P && B <- Q] || P <- [[1, 2], [3]] && Q <- [[10, 20], [30]]] end),
    show("funs", fun() -> [F(10) || F <- [fun() -> A + B end || A <- [1, 2] && B <- [3, 4]], is_function(F, 1)] end),
    show("closures", fun() -> [F(10) || F <- [fun(Z) -> Z + A + B end || A <- [1, 2] && B <- [3, 4]]] end),
    show("improper ends", fun() -> [{X, Y} || X <- id([1, 2 | c]) && Y <- id([a, b | d])] end),
    show("order", fun() -> [begin io:format("~p ~p~n", [X, Y]), X end || X <- id([1, 2]) && Y <- id([3, 4])] end),
    show("sources once", fun() -> [{X, Y} || X <- begin io:format("first~n"), [1] end && Y <- begin io:format("second~n"), [2] end] end),
    show("many", fun() -> length([X || X <- lists:seq(1, 10000) && _ <- lists:seq(1, 10000)]) end),
    show("five", fun() -> [{A, B, C, D, E} || A <- "ab" && B <- "cd" && C <- "ef" && D <- "gh" && E <- "ij"] end).
