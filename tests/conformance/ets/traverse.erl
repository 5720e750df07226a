%% ets: first, next, select, match, folds on ordered sets.
-module(traverse).
-export([main/0]).

main() ->
    T = ets:new(o, [ordered_set]), [ets:insert(T, {N, N * N}) || N <- [5, 3, 1, 4, 2]],
    p(ets:first(T)), p(ets:last(T)), p(ets:next(T, 3)), p(ets:prev(T, 3)), p(ets:next(T, 5)), p(ets:prev(T, 1)), p(ets:next(T, 2.5)), p(ets:tab2list(T)), p(ets:foldl(fun({K, _}, A) -> [K | A] end, [], T)), p(ets:foldr(fun({K, _}, A) -> [K | A] end, [], T)), p(ets:match(T, {'$1', 9})), p(ets:match(T, {'$1', '$2'})), p(ets:match(T, {'_', '$1'})), p(ets:match_object(T, {2, '_'})), p(ets:select(T, [{{'$1', '$2'}, [{'>', '$1', 3}], ['$2']}])), p(ets:select(T, [{{'$1', '_'}, [{'orelse', {'=:=', '$1', 1}, {'==', '$1', 5}}], [{{x, '$1'}}]}])), p(ets:select(T, [{{'$1', '_'}, [], ['$_']}])), p(ets:select(T, [{{1, '_'}, [], ['$$']}])), p(ets:select_count(T, [{{'$1', '_'}, [{'<', '$1', 3}], [true]}])), p(ets:select_delete(T, [{{'$1', '_'}, [{'<', '$1', 3}], [true]}])), p(ets:tab2list(T)), p(ets:match_delete(T, {3, '_'})), p(ets:tab2list(T)), p(ets:slot(T, 0)),
    {M, C} = ets:select(T, [{'$1', [], ['$1']}], 1), p(M), {M2, _} = ets:select(C), p(M2), p(ets:select_replace(T, [{{'$1', '$2'}, [], [{{'$1', {'+', '$2', 1}}}]}])), p(ets:tab2list(T)), p(ets:test_ms({1, 2}, [{{'$1', '$2'}, [], ['$2']}])), E = ets:new(e, [ordered_set]), p(ets:first(E)), p(ets:tab2list(E)), p(ets:safe_fixtable(T, true)), p(try ets:next(ets:new(s, []), nokey) catch error:X -> X end),
    B = ets:new(b, [bag]), [ets:insert(B, O) || O <- [{k, 3}, {k, 1}, {k, 2}, {k, 1}]], p(ets:lookup(B, k)), D = ets:new(d, [duplicate_bag]), [ets:insert(D, O) || O <- [{k, 3}, {k, 1}, {k, 1}]], p(ets:lookup(D, k)), p(lists:sort(ets:match(B, {k, '$1'}))).
p(X) -> io:format("~w~n", [X]).
