%% `sofs` as programs use it: relations, families, graphs of calls.
-module(sofs_calls).
-export([main/0]).
main() ->
    Calls = sofs:relation([{{m, a}, {m, b}}, {{m, b}, {n, c}}, {{n, c}, {n, d}}, {{n, d}, {m, a}}, {{n, e}, {n, e}}], [{{module, function}, {module, function}}]),
    io:format("~p~n~p~n", [Calls, sofs:type(Calls)]),
    Modules = sofs:projection({external, fun({{M1, _}, {M2, _}}) -> {M1, M2} end}, Calls),
    io:format("~p~n", [sofs:to_external(sofs:strict_relation(Modules))]),
    F = sofs:relation_to_family(Calls),
    io:format("~p~n", [sofs:to_external(F)]),
    io:format("~p~n", [sofs:to_external(sofs:domain(Calls))]),
    io:format("~p~n", [sofs:to_external(sofs:image(Calls, sofs:set([{m, a}, {n, c}], [{module, function}])))]),
    Closure = closure(Calls),
    io:format("~p~n", [sofs:no_elements(Closure)]),
    io:format("~p~n", [sofs:to_external(sofs:restriction(Closure, sofs:from_term([{n, c}], [{module, function}])))]),
    io:format("~p~n", [[sofs:to_external(S) || S <- sofs:to_sets(sofs:partition(1, sofs:relation([{1, a}, {2, b}, {1, c}])))]]),
    io:format("~p~n", [sofs:to_external(sofs:join(sofs:relation([{a, x, 1}, {b, x, 3}]), 2, sofs:relation([{x, p}, {y, q}]), 1))]),
    io:format("~p~n", [sofs:to_external(sofs:family_union(sofs:from_term([{a, [1, 2]}], [{atom, [int]}]), sofs:from_term([{a, [2, 3]}, {b, [4]}], [{atom, [int]}])))]),
    io:format("~p~n", [sofs:from_term([{a, [[1], [], [2, 3]]}, {b, []}])]),
    io:format("~p~n", [sofs:product({sofs:set([1, 2]), sofs:set([a]), sofs:set([x, y])})]),
    io:format("~p~n", [sofs:symmetric_partition(sofs:set([1, 2, 3]), sofs:set([2, 4]))]),
    G = sofs:family_to_digraph(F),
    io:format("~p~n", [lists:sort([lists:sort(C) || C <- digraph_utils:cyclic_strong_components(G)])]),
    io:format("~p~n", [sofs:to_external(sofs:digraph_to_family(G))]),
    [io:format("~p~n", [try sofs:to_external(T()) catch error:E -> E end]) || T <- [
        fun() -> sofs:union(sofs:set([a]), sofs:relation([{a, b}])) end, fun() -> sofs:a_function([{1, a}, {1, b}]) end, fun() -> sofs:relation([{1, a}, b]) end,
        fun() -> sofs:composite(sofs:a_function([{1, a}, {2, b}]), sofs:a_function([{a, x}])) end, fun() -> sofs:inverse(sofs:a_function([{1, a}, {2, a}])) end,
        fun() -> sofs:from_term([1, {2, 3}]) end, fun() -> sofs:from_term([[a], [b | c]]) end, fun() -> sofs:family([{a, [1]}, {a, [2]}]) end,
        fun() -> sofs:intersection(sofs:empty_set()) end, fun() -> sofs:family_to_digraph(F, [acyclic]) end, fun() -> sofs:projection({external, fun(X) -> X end}, sofs:from_term([[1]])) end,
        fun() -> sofs:restriction({external, fun({A, _}) -> A end}, sofs:relation([{1, a}, {2, b}]), sofs:set([2])) end,
        fun() -> sofs:specification({external, fun is_atom/1}, sofs:set([a, 1, b])) end, fun() -> sofs:extension(sofs:relation([{1, a}]), sofs:set([1, 2]), sofs:from_term(z)) end]].

closure(R) ->
    Next = sofs:union(R, sofs:relative_product(R, R)),
    case sofs:is_equal(R, Next) of
        true -> R;
        false -> closure(Next)
    end.
