%% With the option priority of a monitor, its 'DOWN' comes before ordinary messages. An alias of the monitor is an ordinary one.
-module(urgent_monitors).
-export([main/0]).

main() ->
    [alias(Mode) || Mode <- [explicit_unalias, demonitor, reply_demonitor]],
    {Dead, M} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', M, _, _, _} -> ok end,
    self() ! first,
    _ = monitor(process, Dead, [priority]),
    io:format("dead ~p~n", [all(2)]),
    self() ! first,
    _ = monitor(process, nobody_has_this_name, [priority]),
    io:format("name ~p~n", [all(2)]),
    P = spawn(fun() -> receive stop -> ok end end),
    _ = monitor(process, P, [priority]),
    N = monitor(process, P),
    self() ! first,
    P ! stop,
    receive {'DOWN', N, _, _, _} -> ok end,
    io:format("alive ~p~n", [all(2)]),
    logger:error(#{label => {x, y}, report => [{a, 1}]}).

alias(Mode) ->
    P = spawn(fun() -> receive stop -> ok end end),
    R = monitor(process, P, [{alias, Mode}, priority]),
    self() ! k,
    erlang:send(R, y, [priority]),
    io:format("~p ~p~n", [Mode, all(2)]),
    demonitor(R, [flush]),
    exit(P, kill).

all(0) -> [];
all(N) -> receive {'DOWN', _, _, _, Why} -> ['DOWN', Why | all(N - 1)]; X -> [X | all(N - 1)] end.
