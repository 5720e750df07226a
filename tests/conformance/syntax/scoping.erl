%% Variables bound in case, if, receive and try; shadowing in funs and comprehensions.
-module(scoping).
-export([main/0]).

main() ->
    X = 1,
    F = fun(X) -> X + 1 end,
    p(F(5)), p(X),
    p([X || X <- [7, 8]]), p(X),
    p([{X, Y} || {X, Y} <- [{1, a}, {2, b}]]),
    G = fun(Y) -> {X, Y} end, p(G(z)),
    case X of 1 -> A = one; _ -> A = other end, p(A),
    self() ! {msg, 5}, receive {msg, B} -> C = B * 2 end, p({B, C}),
    if X =:= 1 -> D = yes; true -> D = no end, p(D),
    E = case {X, 2} of {X, E1} -> E1 end, p(E),
    H = (fun(K) -> X1 = K * 2, X1 + 1 end)(4), p(H),
    {ok, I} = try {ok, J = 3} of {ok, V} -> {ok, V + 1} catch _:_ -> {error, 1} end, p(I),
    L = [begin Z = N, Z * Z end || N <- [1, 2, 3]], p(L),
    M = fun() -> X end, p(M()),
    p((fun([X | T]) -> {X, T} end)([9, 8])).
p(X) -> io:format("~w~n", [X]).
