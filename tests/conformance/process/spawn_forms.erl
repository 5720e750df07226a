%% All forms of spawn.
-module(spawn_forms).
-export([main/0]).

-export([f/2, g/0]).
main() ->
    Me = self(),
    spawn(?MODULE, f, [Me, spawn3]), w(),
    spawn(fun() -> f(Me, fun_spawn) end), w(),
    spawn_link(?MODULE, f, [Me, link3]), w(),
    spawn_link(fun() -> f(Me, link1) end), w(),
    {P, R} = spawn_monitor(fun() -> f(Me, mon) end), w(), receive {'DOWN', R, process, P, normal} -> io:format("down~n") end,
    {P2, R2} = spawn_monitor(?MODULE, f, [Me, mon3]), w(), receive {'DOWN', R2, process, P2, normal} -> io:format("down~n") end,
    spawn_opt(fun() -> f(Me, opt) end, [link]), w(),
    {P3, R3} = spawn_opt(fun() -> f(Me, opt_mon) end, [monitor]), w(), receive {'DOWN', R3, process, P3, normal} -> io:format("down~n") end,
    spawn_opt(?MODULE, f, [Me, opt3], [{priority, low}]), w(),
    spawn(node(), fun() -> f(Me, on_node) end), w(),
    spawn(fun ?MODULE:g/0),
    io:format("~w~n", [try spawn(x) catch C:E -> {C, E} end]),
    io:format("~w~n", [try spawn(a, b, c) of P9 when is_pid(P9) -> pid catch C1:E1 -> {C1, E1} end]).

f(Pid, X) -> Pid ! X.
g() -> ok.
w() -> receive X -> io:format("~w~n", [X]) end.
