%% gb_trees, orddict.
-module(gb_trees_calls).
-export([main/0]).

main() ->
    T = gb_trees:from_orddict([{a, 1}, {b, 2}, {c, 3}]),
    p(gb_trees:to_list(T)), p(gb_trees:get(a, T)), p(gb_trees:lookup(b, T)), p(gb_trees:lookup(z, T)), p(gb_trees:size(T)), p(gb_trees:to_list(gb_trees:insert(d, 4, T))), p(gb_trees:to_list(gb_trees:enter(a, 9, T))), p(gb_trees:to_list(gb_trees:update(a, 8, T))), p(gb_trees:to_list(gb_trees:delete(b, T))), p(gb_trees:to_list(gb_trees:delete_any(z, T))), p(gb_trees:keys(T)), p(gb_trees:values(T)), p(gb_trees:smallest(T)), p(gb_trees:largest(T)), {K, V, T2} = gb_trees:take_smallest(T), p({K, V, gb_trees:keys(T2)}), {K3, V3, _} = gb_trees:take_largest(T), p({K3, V3}), p(gb_trees:is_defined(a, T)), p(gb_trees:is_empty(gb_trees:empty())), p(gb_trees:to_list(gb_trees:map(fun(_, X) -> X * 2 end, T))),
    It = gb_trees:iterator(T), {A, B, It2} = gb_trees:next(It), p({A, B}), {A2, _, It3} = gb_trees:next(It2), p(A2), {_, _, It4} = gb_trees:next(It3), p(gb_trees:next(It4)), p(T), p(gb_trees:balance(T)),
    p(try gb_trees:get(zz, T) catch error:_ -> missing end), p(try gb_trees:insert(a, 1, T) catch error:E -> E end), p(gb_trees:take_any(zz, T)),
    Big = lists:foldl(fun(N, Acc) -> gb_trees:insert(N, N * N, Acc) end, gb_trees:empty(), lists:seq(1, 500)), p(gb_trees:size(Big)), p(gb_trees:get(250, Big)),
    O = orddict:from_list([{b, 2}, {a, 1}, {b, 3}]),
    p(O), p(orddict:store(c, 9, O)), p(orddict:fetch(a, O)), p(orddict:find(z, O)), p(orddict:erase(a, O)), p(orddict:append(l, 1, O)), p(orddict:append_list(l, [1, 2], O)), p(orddict:update(a, fun(X) -> X + 1 end, O)), p(orddict:update_counter(n, 2, O)), p(orddict:fold(fun(K1, V1, Acc) -> [{K1, V1} | Acc] end, [], O)), p(orddict:map(fun(_, X) -> -X end, O)), p(orddict:filter(fun(_, X) -> X > 1 end, O)), p(orddict:merge(fun(_, X, Y) -> X + Y end, O, [{a, 10}, {z, 5}])), p(orddict:is_key(a, O)), p(orddict:fetch_keys(O)), p(orddict:size(O)), p(orddict:to_list(O)), p(orddict:new()), p(orddict:is_empty([])).

p(X) -> io:format("~w~n", [X]).
