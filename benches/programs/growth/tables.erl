%% Two processes write and read a table of ten counters, N times each. Then the run fails, unless it is mended.
-module(tables).
-export([main/1]).

-ifdef(FIXED).
finish(_) -> ok.
-else.
finish(Sum) -> exit({sum, Sum}).
-endif.

main([Size]) ->
    N = list_to_integer(Size),
    Table = ets:new(counts, [public]),
    ets:insert(Table, [{I, 0} || I <- lists:seq(0, 9)]),
    Main = self(),
    [spawn_link(fun() -> update(Table, N), Main ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    finish(lists:sum([V || {_, V} <- ets:tab2list(Table)])).

update(_, 0) -> ok;
update(Table, N) ->
    ets:update_counter(Table, N rem 10, 1),
    [{_, _}] = ets:lookup(Table, N rem 10),
    update(Table, N - 1).
