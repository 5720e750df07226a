%% Three processes sleep and then add to a table: who comes when is in no log.
-module(sleepers).
-export([main/0]).
main() ->
    Table = ets:new(sums, [public]),
    ets:insert(Table, {sum, 0}),
    Me = self(),
    Add = fun(N) ->
        timer:sleep(10 * N),
        Seen = ets:lookup_element(Table, sum, 2),
        ets:insert(Table, {sum, Seen + N}),
        Me ! {added, N, Seen}
    end,
    [spawn(fun() -> Add(N) end) || N <- [3, 1, 2]],
    [receive {added, N, Seen} -> {N, Seen} end || _ <- [1, 2, 3]].
