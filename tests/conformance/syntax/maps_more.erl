%% Maps: keys from variables and expressions, updates in chains, large maps, comparisons.
-module(maps_more).
-export([main/0]).

main() ->
    K = key, M = #{K => 1, {K, 2} => 2, 1 + 1 => 3, "str" => 4, K => 5}, p(M), #{K := V, {K, 2} := W} = M, p({V, W}), p(M#{K := 6}#{new => 7}), p(f(M, K)), p(lists:foldl(fun(I, A) -> A#{I rem 5 => I} end, #{}, lists:seq(1, 20))), Big = maps:from_list([{{k, I}, I} || I <- lists:seq(1, 200)]), p(maps:get({k, 77}, Big)), p(map_size(maps:remove({k, 1}, Big))), p(map_size(Big#{x => y})), #{{k, 100} := H} = Big, p(H), p(lists:sum([X || {_, X} <- maps:to_list(Big)])), p(Big =:= maps:from_list(lists:reverse(maps:to_list(Big)))), Small = lists:foldl(fun(I, A) -> maps:remove({k, I}, A) end, Big, lists:seq(4, 200)), p(Small), p(Small =:= #{{k, 1} => 1, {k, 2} => 2, {k, 3} => 3}), p(#{a => 1, b => 2} == #{b => 2, a => 1}), p(erlang:phash2(Big) =:= erlang:phash2(maps:from_list(lists:reverse(maps:to_list(Big))))), p(maps:fold(fun(_, X, S) -> X + S end, 0, Big)), p(case #{} of #{a := _} -> has; #{} -> has_not end), p([X || #{id := X} <- [#{id => 1}, #{}, #{id => 2, z => 3}]]), p(maps:map(fun(_, X) -> X * 2 end, #{a => 1})), p(nested(#{a => #{b => #{c => 1}}})), p(#{1.0 => a, 1 => b}), p(maps:get(1, #{1.0 => a, 1 => b})), p(#{0 => z, -1 => y}), p(maps:is_key(1.0, #{1 => a})).
f(M, K) -> case M of #{K := 1} -> one; #{K := X} when X > 3 -> {big, X}; _ -> none end.
nested(M) -> #{a := #{b := #{c := C}} = A} = M, {C, A, M#{a => A#{b => new}}}.
p(X) -> io:format("~w~n", [X]).
