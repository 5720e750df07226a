%% Walks over a table key by key while another process deletes keys.
-module(etswalk).
-export([main/0]).

main() ->
    Table = ets:new(sessions, [public, ordered_set]),
    Set = ets:new(index, [public, set]),
    [ets:insert(T, {N, N}) || N <- lists:seq(1, 6), T <- [Table, Set]],
    {_, Ref} = spawn_monitor(fun() -> sweep(Set) end),
    Sum = ets:foldl(fun({_, V}, S) -> S + V end, 0, Set),
    receive {'DOWN', Ref, _, _, normal} -> ok end,
    io:format("~w~n", [Sum =< 21]).

sweep(Set) ->
    [ets:delete(Set, N) || N <- [2, 4, 6]],
    ok.
