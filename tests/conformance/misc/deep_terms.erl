%% Deeply nested terms are built, compared, copied, printed and hashed without overflow.
-module(deep_terms).
-export([main/0]).

main() ->
    D = nest(100000, x), E = nest(100000, x), F = nest(100000, y), io:format("~w ~w ~w~n", [D =:= E, D =:= F, D < F]), T = tup(100000, z), io:format("~w~n", [T =:= tup(100000, z)]), Me = self(), spawn(fun() -> Me ! {copy, D} end), receive {copy, C} -> io:format("~w~n", [C =:= D]) end, io:format("~w~n", [erlang:phash2(D) =:= erlang:phash2(E)]), io:format("~w~n", [depth(D)]), io:format("~w~n", [length(lists:flatten(io_lib:format("~w", [nest(10000, q)])))]), io:format("~w~n", [lists:flatten(D)]), M = lists:foldl(fun(I, A) -> #{I => A} end, leaf, lists:seq(1, 20000)), io:format("~w~n", [map_depth(M)]).
nest(0, X) -> X;
nest(N, X) -> nest(N - 1, [X]).
tup(0, X) -> X;
tup(N, X) -> tup(N - 1, {X}).
depth([X]) -> 1 + depth(X);
depth(_) -> 0.
map_depth(M) when is_map(M) -> [V] = maps:values(M), 1 + map_depth(V);
map_depth(_) -> 0.
