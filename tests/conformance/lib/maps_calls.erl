%% maps: the module.
-module(maps_calls).
-export([main/0]).

main() ->
    M = #{a => 1, b => 2, c => 3},
    p(maps:new()), p(maps:get(a, M)), p(maps:get(z, M, def)), p(maps:find(b, M)), p(maps:find(z, M)), p(maps:is_key(a, M)), p(maps:keys(M)), p(maps:values(M)), p(maps:size(M)), p(maps:to_list(M)), p(maps:from_list([{x, 1}, {y, 2}, {x, 3}])), p(maps:from_keys([a, b], 0)),
    p(maps:put(d, 4, M)), p(maps:update(a, 9, M)), p(maps:remove(a, M)), p(maps:remove(z, M)), p(maps:merge(M, #{a => x, z => y})), p(maps:merge_with(fun(K, V1, V2) -> {K, V1, V2} end, M, #{a => x, z => y})), p(maps:map(fun(K, V) -> {K, V} end, M)), p(maps:filter(fun(_, V) -> V > 1 end, M)), p(maps:filtermap(fun(_, V) when V > 1 -> {true, V * 10}; (_, _) -> false end, M)),
    p(maps:fold(fun(K, V, Acc) -> [{K, V} | Acc] end, [], M)), p(maps:foreach(fun(K, V) -> io:format("~w=~w ", [K, V]) end, M)), p(maps:take(a, M)), p(maps:take(z, M)), p(maps:with([a, z], M)), p(maps:without([a, z], M)), p(maps:update_with(a, fun(V) -> V + 1 end, M)), p(maps:update_with(z, fun(V) -> V + 1 end, 0, M)),
    p(maps:intersect(M, #{a => z, q => 1})), p(maps:intersect_with(fun(_, A, B) -> {A, B} end, M, #{a => z, q => 1})), p(maps:groups_from_list(fun(X) -> X rem 2 end, [1, 2, 3])), p(maps:groups_from_list(fun(X) -> X rem 2 end, fun(X) -> X * X end, [1, 2, 3])),
    I = maps:iterator(M), {K1, V1, I2} = maps:next(I), p({K1, V1}), {K2, _, I3} = maps:next(I2), p(K2), {_, _, I4} = maps:next(I3), p(maps:next(I4)),
    [p(try apply(maps, F, A) catch C:R -> {C, R} end) || {F, A} <- [{get, [z, M]}, {get, [a, notmap]}, {update, [z, 1, M]}, {put, [a, 1, x]}, {keys, [x]}, {from_list, [x]}, {from_list, [[a]]}, {merge, [M, x]}, {size, [[]]}, {fold, [x, 0, M]}, {map, [x, M]}, {update_with, [z, fun(V) -> V end, M]}, {with, [x, M]}, {remove, [a, []]}, {find, [a, []]}, {take, [a, b]}]].

p(X) -> io:format("~p~n", [X]).
