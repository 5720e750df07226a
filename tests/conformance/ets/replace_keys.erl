%% What ets:select_replace/2 takes for an expression that keeps the key, and what it does then.
-module(replace_keys).
-export([main/0]).

main() ->
    [begin
         T = ets:new(t, [Type]),
         ets:insert(T, [{K, old} || K <- [{1, 2}, {1, b}, {1, 1.0}, {2, {3, c}}, [1, {2}], a, {1}, "ab", #{x => 1}]]),
         Result = try ets:select_replace(T, [Clause]) catch error:Reason -> Reason end,
         io:format("~p ~p: ~p ~p~n", [Type, Clause, Result, lists:sort([K || [K] <- ets:match(T, {'$1', new})])]),
         ets:delete(T)
     end || Type <- [set, ordered_set, duplicate_bag], Clause <- clauses()].

clauses() ->
    [{{{1, '$1'}, '_'}, [{is_atom, '$1'}], [{{{{1, '$1'}}, new}}]},
     {{{'$2', '$1'}, '_'}, [], [{{{{'$2', '$1'}}, new}}]},
     {{{'$2', '$1'}, '_'}, [], [{{{{'$1', '$2'}}, new}}]},
     {{{'$2', {3, '$1'}}, '_'}, [], [{{{{'$2', {{3, '$1'}}}}, new}}]},
     {{{'$2', {3, '$1'}}, '_'}, [], [{{{{'$2', {{{const, 3}, '$1'}}}}, new}}]},
     {{{'$2', {3, '$1'}}, '_'}, [], [{{{{'$2', {{4, '$1'}}}}, new}}]},
     {{[1 | '$1'], '_'}, [], [{{[1 | '$1'], new}}]},
     {{[1, {'$1'}], '_'}, [], [{{[1, {{'$1'}}], new}}]},
     {{a, '_'}, [], [{{a, new}}]},
     {{a, '_'}, [], [{const, {a, new}}]},
     {{{1, '_'}, '_'}, [], [{{{{1, '_'}}, new}}]},
     {{{1, b}, '_'}, [], [{{{{1, b}}, new}}]},
     {{{1, b}, '_'}, [], [{{{const, {1, b}}, new}}]},
     {{{1}, '_'}, [], [{{{{1}}, new}}]},
     {{"ab", '_'}, [], [{{"ab", new}}]},
     {{'$1', '_'}, [], [{{'$1', new}}]},
     {{{1, '$1'}, '_'}, [], [{{{element, 1, '$_'}, new}}]},
     {{{1, '$1'}, '_'}, [], ['$_']}].
