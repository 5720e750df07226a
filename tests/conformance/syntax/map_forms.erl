%% Maps: construction, update, patterns, guards, nesting.
-module(map_forms).
-export([main/0]).

main() ->
    M = #{a => 1, "b" => two, 3 => [3], {x} => 4.0},
    p(M), p(#{}), p(map_size(M)),
    p(M#{a := 9}), p(M#{new => 1}), p(M#{a => 2, a => 3}),
    #{a := A, "b" := B} = M,
    p({A, B}),
    K = {x},
    #{K := V} = M,
    p(V),
    p([f(X) || X <- [#{}, #{k => 1}, #{k => 2, j => 1}, #{z => #{k => 7}}, nomap]]),
    p(try (id(M))#{nokey := 1} catch C:R -> {C, R} end),
    p(try (id(nomap))#{a => 1} catch C1:R1 -> {C1, R1} end),
    p(try #{zz := _} = id(M) catch C2:{badmatch, _} -> {C2, badmatch} end),
    p(#{1 => a, 1.0 => b}), p(#{b => 1, a => 2, c => 3}), p(#{z => 1, 1 => 2, "s" => 3, {} => 4}),
    p(M =:= M#{a => 1}), p(#{a => 1} == #{a => 1.0}), p(#{a => 1} =:= #{a => 1.0}), p(#{a => 1} < #{a => 2}), p(#{a => 1} < #{b => 0}), p(#{a => 1, b => 1} > #{z => 9}),
    p([g(X) || X <- [#{}, #{a => 1}, [], #{b => 2}]]),
    Nested = #{l1 => #{l2 => #{l3 => deep}}},
    #{l1 := #{l2 := #{l3 := Deep}}} = Nested,
    p(Deep),
    p(Nested#{l1 := #{}}),
    #{} = M,
    p(#{x => fun_free, y => [#{z => 1}]}),
    Big = maps:from_list([{I, I * I} || I <- lists:seq(1, 100)]),
    p(map_size(Big)), p(maps:get(50, Big)), p(lists:sum(maps:values(Big))),
    p(lists:sort(maps:keys(Big#{100 := 0, 101 => 1})) =:= lists:seq(1, 101)).

f(#{k := 1}) -> one;
f(#{k := N, j := _}) -> {k_and_j, N};
f(#{z := #{k := N}}) -> {nested, N};
f(#{}) -> some_map;
f(_) -> no_map.

g(M) when map_size(M) =:= 0 -> empty;
g(M) when is_map_key(a, M), map_get(a, M) =:= 1 -> a_is_one;
g(M) when is_map(M) -> map;
g(_) -> other.

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
