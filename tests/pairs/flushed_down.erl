%% A monitor is given up, and its message is taken for another one later: it is not flushed.
-module(flushed_down).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive die -> ok end end),
    R = monitor(process, P),
    P ! die,
    erlang:demonitor(R),
    receive {'DOWN', R, process, P, _} -> error(stale_down) after 50 -> ok end.
