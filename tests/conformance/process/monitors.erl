%% Monitors: down messages, noproc, demonitor, flush, names.
-module(monitors).
-export([main/0]).

main() ->
    P1 = spawn(fun() -> receive stop -> exit(bye) end end), R1 = monitor(process, P1), P1 ! stop, d(R1),
    P2 = spawn(fun() -> ok end), timer:sleep(5), R2 = erlang:monitor(process, P2), d(R2),
    P3 = spawn(fun() -> receive stop -> ok end end), R3 = monitor(process, P3), io:format("~w~n", [demonitor(R3)]), P3 ! stop, receive {'DOWN', R3, _, _, _} -> io:format("wrong~n") after 5 -> io:format("quiet~n") end,
    P4 = spawn(fun() -> ok end), R4 = monitor(process, P4), timer:sleep(5), io:format("~w~n", [demonitor(R4, [flush])]), receive {'DOWN', R4, _, _, _} -> io:format("wrong~n") after 0 -> io:format("flushed~n") end,
    io:format("~w~n", [demonitor(R4, [info])]),
    register(named, P5 = spawn(fun() -> receive stop -> exit(named_exit) end end)), R5 = monitor(process, named), P5 ! stop,
    receive {'DOWN', R5, process, {named, N}, Why} when N =:= node() -> io:format("~w~n", [Why]) end,
    R6 = monitor(process, nobody_has_this_name), receive {'DOWN', R6, process, {nobody_has_this_name, _}, W6} -> io:format("~w~n", [W6]) end,
    P7 = spawn(fun() -> receive stop -> ok end end), Ra = monitor(process, P7), Rb = monitor(process, P7), P7 ! stop, d(Ra), d(Rb),
    P8 = spawn(fun() -> error(crash) end), R8 = monitor(process, P8), receive {'DOWN', R8, process, P8, {crash, St}} -> io:format("crash ~w~n", [is_list(St)]); {'DOWN', R8, process, P8, noproc} -> io:format("crash true~n") end,
    io:format("~w~n", [try monitor(process, x_y_z, []) of R when is_reference(R) -> ok catch error:E -> E end]),
    io:format("~w~n", [try demonitor(not_a_ref) catch error:E1 -> E1 end]),
    {P9, R9} = spawn_monitor(fun() -> exit(x) end), receive {'DOWN', R9, process, P9, x} -> io:format("x~n") end.

d(R) -> receive {'DOWN', R, process, P, Why} when is_pid(P) -> io:format("~w~n", [Why]) after 1000 -> io:format("nothing~n") end.
