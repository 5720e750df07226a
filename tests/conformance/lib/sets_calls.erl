%% sets, ordsets, gb_sets.
-module(sets_calls).
-export([main/0]).

main() ->
    S = sets:from_list([c, a, b, a]), T = sets:from_list([b, d]),
    p(lists:sort(sets:to_list(S))), p(sets:size(S)), p(sets:is_element(a, S)), p(sets:is_element(z, S)), p(lists:sort(sets:to_list(sets:union(S, T)))), p(sets:to_list(sets:intersection(S, T))), p(lists:sort(sets:to_list(sets:subtract(S, T)))), p(sets:is_subset(T, S)), p(sets:is_disjoint(S, T)), p(sets:size(sets:add_element(z, S))), p(sets:size(sets:del_element(a, S))), p(lists:sort(sets:to_list(sets:filter(fun(X) -> X > a end, S)))), p(sets:fold(fun(_, N) -> N + 1 end, 0, S)), p(sets:is_empty(sets:new())), p(sets:is_set(S)), p(lists:sort(sets:to_list(sets:from_list([1, 2], [{version, 2}])))),
    O = ordsets:from_list([c, a, b, a]),
    p(O), p(ordsets:add_element(aa, O)), p(ordsets:del_element(a, O)), p(ordsets:is_element(b, O)), p(ordsets:union(O, [d])), p(ordsets:union([[c], [a], [b]])), p(ordsets:intersection(O, [a, z])), p(ordsets:subtract(O, [a])), p(ordsets:is_subset([a], O)), p(ordsets:size(O)), p(ordsets:to_list(O)), p(ordsets:new()), p(ordsets:fold(fun(X, A) -> [X | A] end, [], O)), p(ordsets:filter(fun(X) -> X =/= b end, O)), p(ordsets:is_disjoint([a], [b])), p(ordsets:is_set([b, a])),
    G = gb_sets:from_list([3, 1, 2, 1]),
    p(gb_sets:to_list(G)), p(gb_sets:size(G)), p(gb_sets:is_member(2, G)), p(gb_sets:is_element(9, G)), p(gb_sets:to_list(gb_sets:add(5, G))), p(gb_sets:to_list(gb_sets:insert(0, G))), p(gb_sets:to_list(gb_sets:delete(1, G))), p(gb_sets:to_list(gb_sets:delete_any(9, G))), p(gb_sets:smallest(G)), p(gb_sets:largest(G)), {X1, G2} = gb_sets:take_smallest(G), p({X1, gb_sets:to_list(G2)}), {X2, _} = gb_sets:take_largest(G), p(X2), p(gb_sets:to_list(gb_sets:union(G, gb_sets:from_list([7])))), p(gb_sets:to_list(gb_sets:intersection(G, gb_sets:from_list([2, 9])))), p(gb_sets:to_list(gb_sets:difference(G, gb_sets:from_list([2])))), p(gb_sets:is_empty(gb_sets:new())), p(gb_sets:empty()), p(gb_sets:fold(fun(A, B) -> A + B end, 0, G)), It = gb_sets:iterator(G), {N1, It2} = gb_sets:next(It), {N2, _} = gb_sets:next(It2), p({N1, N2}), p(gb_sets:singleton(a)), p(G),
    p(try gb_sets:insert(1, G) catch error:_ -> exists end), p(gb_sets:is_subset(gb_sets:from_list([1]), G)), p(gb_sets:to_list(gb_sets:filter(fun(Z) -> Z > 1 end, G))).

p(X) -> io:format("~w~n", [X]).
