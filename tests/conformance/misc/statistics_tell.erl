%% What statistics and memory say is counted, never zero without a word.
-module(statistics_tell).
-export([main/0]).

main() ->
    p(garbage_collection, work(), fun({N, Words, 0}) -> N > 0 andalso Words > 0 end),
    io:format("some output~n"),
    p(io, ok, fun({{input, I}, {output, O}}) -> is_integer(I) andalso O > 0 end),
    p(run_queue, ok, fun is_integer/1),
    p(total_run_queue_lengths, ok, fun is_integer/1),
    p(total_run_queue_lengths_all, ok, fun is_integer/1),
    p(total_active_tasks, ok, fun(N) -> N > 0 end),
    p(total_active_tasks_all, ok, fun(N) -> N > 0 end),
    p(run_queue_lengths, ok, fun(L) -> lists:all(fun is_integer/1, L) end),
    p(run_queue_lengths_all, ok, fun(L) -> lists:all(fun is_integer/1, L) end),
    p(active_tasks, ok, fun(L) -> lists:sum(L) > 0 end),
    p(active_tasks_all, ok, fun(L) -> lists:sum(L) > 0 end),
    p(reductions, ok, fun({N, _}) -> N > 0 end),
    p(exact_reductions, ok, fun({N, _}) -> N > 0 end),
    p(context_switches, ok, fun({N, 0}) -> N > 0 end),
    Table = ets:new(t, []),
    ets:insert(Table, [{N, N} || N <- lists:seq(1, 1000)]),
    Big = binary:copy(<<"abcdefgh">>, 10000),
    Memory = maps:from_list(erlang:memory()),
    io:format("~p~n", [lists:sort(maps:keys(Memory))]),
    io:format("~p~n", [[K || {K, V} <- maps:to_list(Memory), V =< 0]]),
    #{total := Total, processes := Processes, system := System, atom := Atom, binary := Binary, code := Code, ets := Ets} = Memory,
    io:format("~p~n", [Total =:= Processes + System]),
    io:format("~p~n", [System >= Atom + Binary + Code + Ets]),
    io:format("~p~n", [Binary >= byte_size(Big)]),
    io:format("~p~n", [is_integer(erlang:memory(total))]),
    io:format("~p~n", [[K || {K, _} <- erlang:memory([ets, binary])]]),
    io:format("~p~n", [erlang:system_info(alloc_util_allocators)]),
    io:format("~p~n", [lists:keymember(?MODULE, 1, code:all_loaded())]),
    io:format("~p~n", [filename:basename(code:which(?MODULE))]).

p(Key, _, Holds) ->
    Value = statistics(Key),
    io:format("~p ~p~n", [Key, try Holds(Value) catch _:_ -> Value end]).

work() ->
    lists:foldl(fun(N, Acc) -> [N | lists:sublist(Acc, 10)] end, [], lists:seq(1, 100000)),
    erlang:garbage_collect().
