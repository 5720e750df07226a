%% Two processes read, add and write back a counter in a table. The fix: ets:update_counter.
-module(table_race).
-export([main/0]).

main() ->
    Table = ets:new(counters, [public]),
    ets:insert(Table, {hits, 0}),
    Me = self(),
    Hit = fun() ->
        ets:update_counter(Table, hits, 1),
        Me ! done
    end,
    spawn(Hit),
    spawn(Hit),
    receive done -> ok end,
    receive done -> ok end,
    [{hits, 2}] = ets:lookup(Table, hits),
    ok.
