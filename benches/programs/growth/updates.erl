%% N updates of ten counters in a table.
-module(updates).
-export([main/1]).

main([N]) ->
    Table = ets:new(counts, [public]),
    [ets:insert(Table, {I, 0}) || I <- lists:seq(0, 9)],
    update(Table, list_to_integer(N)),
    io:format("~p~n", [lists:sum([V || {_, V} <- ets:tab2list(Table)])]).

update(_, 0) -> ok;
update(Table, N) ->
    ets:update_counter(Table, N rem 10, 1),
    update(Table, N - 1).
