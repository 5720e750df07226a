%% Walks over a table key by key while another process deletes keys.
-module(etswalk).
-export([main/0]).

main() ->
    Table = ets:new(sessions, [public, ordered_set]),
    Set = ets:new(index, [public, set]),
    [ets:insert(T, {N, N}) || N <- lists:seq(1, 6), T <- [Table, Set]],
    {_, Ref} = spawn_monitor(fun() -> sweep(Set) end),
    Sum = walk(Set, ets:first(Set), 0),
    receive {'DOWN', Ref, _, _, normal} -> ok end,
    io:format("~w~n", [Sum =< 21]).

sweep(Set) ->
    [ets:delete(Set, N) || N <- [2, 4, 6]],
    ok.

walk(_, '$end_of_table', Sum) -> Sum;
walk(Set, Key, Sum) ->
    Here = case ets:lookup(Set, Key) of [{_, V}] -> V; [] -> 0 end,
    walk(Set, ets:next(Set, Key), Sum + Here).
