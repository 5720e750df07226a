%% Timers for processes that have a name, and a sleep longer than a receive may wait.
-module(timer_names).
-export([main/0, wait/0]).

wait() -> receive never -> ok end.

main() ->
    process_flag(trap_exit, true),
    Ended = fun(Pid) -> receive {'EXIT', Pid, Reason} -> Reason after 2000 -> nothing end end,
    P1 = spawn_link(?MODULE, wait, []),
    register(first, P1),
    {ok, {Kind1, _}} = timer:exit_after(20, first, bye),
    io:format("~p ~p~n", [Kind1, Ended(P1)]),
    P2 = spawn_link(?MODULE, wait, []),
    register(second, P2),
    {ok, {Kind2, _}} = timer:kill_after(20, second),
    io:format("~p ~p~n", [Kind2, Ended(P2)]),
    {ok, {Kind3, _}} = timer:send_after(20, later, hello),
    register(later, self()),
    io:format("~p ~p~n", [Kind3, receive Message -> Message after 2000 -> nothing end]),
    P4 = spawn_link(fun() -> timer:kill_after(20), timer:sleep(16#ffffffff + 1) end),
    io:format("~p~n", [Ended(P4)]),
    io:format("~p~n", [[catch timer:exit_after(T, P, r) || {T, P} <- [{-1, first}, {x, first}, {-1, nobody}]]]),
    {ok, {interval, Ref}} = timer:send_interval(10, tick),
    receive tick -> ok end,
    timer_server ! {'DOWN', Ref, process, self(), test},
    timer:sleep(50),
    io:format("~p~n", [flushed(tick)]),
    timer:sleep(50),
    io:format("~p~n", [receive tick -> still after 0 -> stopped end]).

flushed(Message) -> receive Message -> flushed(Message) after 0 -> flushed end.
