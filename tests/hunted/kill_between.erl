%% It fails if the worker is killed between its two writes.
-module(kill_between).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    {W, Ref} = spawn_monitor(fun() -> receive work -> ets:insert(T, {a, 1}), ets:insert(T, {b, 1}) end end),
    W ! work,
    exit(W, kill),
    receive {'DOWN', Ref, process, _, _} -> ok end,
    true = length(ets:tab2list(T)) =/= 1.
