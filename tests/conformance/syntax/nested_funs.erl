%% Funs in funs, captured variables, recursion through arguments.
-module(nested_funs).
-export([main/0]).

main() ->
    Compose = fun(Fs) -> lists:foldr(fun(F, G) -> fun(X) -> F(G(X)) end end, fun(X) -> X end, Fs) end,
    p((Compose([fun(X) -> X + 1 end, fun(X) -> X * 2 end, fun(X) -> X - 3 end]))(10)),
    Y = fun(F) -> (fun(X) -> F(fun(A) -> (X(X))(A) end) end)(fun(X) -> F(fun(A) -> (X(X))(A) end) end) end,
    p((Y(fun(Self) -> fun(0) -> 1; (N) -> N * Self(N - 1) end end))(10)),
    Curry = fun(F) -> fun(A) -> fun(B) -> fun(C) -> F(A, B, C) end end end end,
    p((((Curry(fun(A, B, C) -> {A, B, C} end))(1))(2))(3)),
    Adders = [fun(X) -> X + N end || N <- [1, 2, 3]],
    p([F(10) || F <- Adders]),
    {Z, W} = {5, fun(Z) -> Z * 2 end},
    p({Z, W(7)}),
    Fib = fun F(0) -> 0; F(1) -> 1; F(N) -> F(N - 1) + F(N - 2) end,
    p([Fib(N) || N <- lists:seq(0, 15)]),
    Outer = fun Loop(0, Acc) -> lists:reverse(Acc); Loop(N, Acc) -> Inner = fun(K) -> K * N end, Loop(N - 1, [Inner(N) | Acc]) end,
    p(Outer(5, [])),
    Big = fun(A, B, C, D, E, F, G, H, I, J, K, L) -> [A, B, C, D, E, F, G, H, I, J, K, L] end,
    p(Big(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)),
    p(church(fun(F) -> fun(X) -> F(F(F(X))) end end)).
church(N) -> (N(fun(X) -> X + 1 end))(0).
p(X) -> io:format("~w~n", [X]).
