%% lists: order of calls of the fun, early ends, accumulators.
-module(lists_funs).
-export([main/0]).

main() ->
    T = fun(X) -> io:format("~w ", [X]), X end,
    p(lists:map(T, [1, 2, 3])), p(lists:filter(fun(X) -> T(X) > 1 end, [1, 2, 3])), p(lists:foldl(fun(X, A) -> T(X) + A end, 0, [1, 2, 3])), p(lists:foldr(fun(X, A) -> T(X) + A end, 0, [1, 2, 3])), p(lists:any(fun(X) -> T(X) =:= 2 end, [1, 2, 3])), p(lists:all(fun(X) -> T(X) < 2 end, [1, 2, 3])), p(lists:takewhile(fun(X) -> T(X) < 2 end, [1, 2, 3])), p(lists:dropwhile(fun(X) -> T(X) < 2 end, [1, 2, 3])), p(lists:splitwith(fun(X) -> T(X) < 2 end, [1, 2, 3])), p(lists:partition(fun(X) -> T(X) < 2 end, [1, 2, 3])), p(lists:flatmap(fun(X) -> [T(X), x] end, [1, 2])), p(lists:mapfoldl(fun(X, A) -> {T(X), A + X} end, 0, [1, 2])), p(lists:mapfoldr(fun(X, A) -> {T(X), A + X} end, 0, [1, 2])), p(lists:filtermap(fun(X) -> T(X) > 1 end, [1, 2, 3])), p(lists:zipwith(fun(X, Y) -> T({X, Y}) end, [1, 2], [a, b])), p(lists:search(fun(X) -> T(X) > 1 end, [1, 2, 3])), p(lists:foreach(T, [1, 2])), p(lists:sort(fun(A, B) -> T({A, B}), A =< B end, [3, 1, 2])), p(lists:usort(fun(A, B) -> A >= B end, [3, 1, 2, 3])), p(lists:keymap(T, 1, [{a, 1}, {b, 2}])), p(lists:merge(fun(A, B) -> T({A, B}), A =< B end, [1, 3], [2, 4])), p(lists:uniq(fun(X) -> T(X) rem 2 end, [1, 2, 3])), p([T(X) || X <- [1, 2, 3], T(X) > 1]).
p(X) -> io:format("-> ~w~n", [X]).
