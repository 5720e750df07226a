%% One writer, four readers. It fails if readers 1 and 2 see the old value and readers 3 and 4 the new one.
-module(readers).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    ets:insert(T, {x, old}),
    Refs = [element(2, spawn_monitor(fun() -> exit({saw, ets:lookup_element(T, x, 2)}) end)) || _ <- lists:seq(1, 4)],
    {_, W} = spawn_monitor(fun() -> ets:insert(T, {x, new}) end),
    Saw = [receive {'DOWN', Ref, process, _, {saw, V}} -> V end || Ref <- Refs],
    receive {'DOWN', W, process, _, _} -> ok end,
    true = Saw =/= [old, old, new, new].
