%% As OTP does it by hand: the message that had come before the monitor was given up is taken.
-module(flushed_down).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive die -> ok end end),
    R = monitor(process, P),
    P ! die,
    erlang:demonitor(R),
    receive {'DOWN', R, _, _, _} -> ok after 0 -> ok end,
    receive {'DOWN', R, process, P, _} -> error(stale_down) after 50 -> ok end.
