%% A worker is killed after it was given work. It fails if the worker was faster.
-module(kill_late).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    {W, Ref} = spawn_monitor(fun() -> receive work -> ets:insert(T, {done, 1}), ets:insert(T, {done, 2}) end end),
    W ! work,
    exit(W, kill),
    receive {'DOWN', Ref, process, _, _} -> ok end,
    true = ets:tab2list(T) =/= [{done, 2}].
