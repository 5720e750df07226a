%% Arithmetic and comparisons of floats, small and large integers, as operators and as functions: all combinations, also those that fail.
-module(quick_floats).
-export([main/0]).

main() ->
    [io:format("~w ~w: ~w~n", [A, B, [case F(A, B) of {number, N} -> N; Other -> Other end || {_, F} <- operators()]]) || A <- values(), B <- values()],
    Different = [{Name, A, B} || {Name, F} <- operators(), A <- values(), B <- values(), F(A, B) =/= called(Name, A, B)],
    io:format("as functions: ~w~n", [Different]),
    io:format("~w~n", [[signs(X) || X <- [0.0, -0.0, 1.0, -1.0]]]),
    io:format("~w~n", [{tenth(0.0, 10), series(1.0, 30), down(3.5), up(-2.5)}]),
    io:format("~w~n", [[limit(X) || X <- values()]]).

values() ->
    [0, 1, -1, 2, 3, 9007199254740991, 9007199254740992, 9007199254740993, -9007199254740993, 1152921504606846975, -1152921504606846976, 1 bsl 70, 0.0, -0.0, 1.0,
     1.5, -2.5, 0.1, 9007199254740992.0, 9007199254740994.0, 1.0e300, -1.0e300, 1.0e-300, 5.0e-324, 1.7976931348623157e308, a, "1"].

operators() ->
    [{'+', fun(A, B) -> try {number, A + B} catch _:R -> R end end},
     {'-', fun(A, B) -> try {number, A - B} catch _:R -> R end end},
     {'*', fun(A, B) -> try {number, A * B} catch _:R -> R end end},
     {'/', fun(A, B) -> try {number, A / B} catch _:R -> R end end},
     {'<', fun(A, B) -> {number, if A < B -> true; true -> false end} end},
     {'=<', fun(A, B) -> {number, if A =< B -> true; true -> false end} end},
     {'>', fun(A, B) -> {number, A > B} end},
     {'>=', fun(A, B) -> {number, A >= B} end},
     {'==', fun(A, B) -> {number, A == B} end},
     {'=:=', fun(A, B) -> {number, A =:= B} end}].

called(Name, A, B) ->
    try {number, apply(erlang, Name, [A, B])} catch _:R -> R end.

signs(X) -> {X + 1, X - 1, 1 - X, 1 + X, X * -1, 0 - X, X * 0, 0.0 - X}.

tenth(X, 0) -> X;
tenth(X, N) -> tenth(X + 0.1, N - 1).

series(S, 0) -> S;
series(S, N) -> series(S / 2 + N, N - 1).

down(X) when X < 0 -> X;
down(X) -> down(X - 1).

up(X) when X > 3 -> X;
up(X) -> up(X + 1).

limit(X) when X < 2 -> below;
limit(X) when X =< 2 -> two;
limit(X) when X > 1000 -> far;
limit(_) -> above.
