%% hibernate, suspend_process, resume_process.
-module(hibernate_suspend).
-export([main/0, woken/1]).
main() ->
    Me = self(),
    {P, R} = spawn_monitor(fun() -> put(x, 1), try catch erlang:hibernate(?MODULE, woken, [Me]) after io:format("never~n") end end),
    timer:sleep(5),
    io:format("~p~n", [process_info(P, [current_function, status, dictionary, current_stacktrace, current_location])]),
    P ! {go, 1}, P ! {go, 2},
    receive {'DOWN', R, _, _, W} -> io:format("~p~n", [W]) end,
    receive M -> io:format("~p~n", [M]) end,
    [io:format("~p~n", [case catch erlang:hibernate(A, B, C) of {'EXIT', {E, _}} -> E end]) || {A, B, C} <- [{a, b, c}, {a, b, [c | d]}, {1, b, [c]}]],
    {K, KR} = spawn_monitor(fun() -> process_flag(trap_exit, false), erlang:hibernate(?MODULE, woken, [Me]) end),
    timer:sleep(5), exit(K, kill), receive {'DOWN', KR, _, _, KW} -> io:format("~p~n", [KW]) end,
    {N, NR} = spawn_monitor(fun() -> self() ! {go, 0}, erlang:hibernate(no_such, f, []) end),
    receive {'DOWN', NR, _, _, {NW, _}} -> io:format("~p ~p~n", [is_pid(N), NW]) end,
    %% suspend
    S = spawn(fun() -> loop(Me) end),
    io:format("~p~n", [erlang:suspend_process(S)]),
    S ! {ping, 1},
    io:format("~p~n", [receive {pong, _} -> pong after 20 -> suspended end]),
    io:format("~p ~p~n", [process_info(S, status), [N1 || {suspending, L} <- [process_info(self(), suspending)], {_, N1, _} <- L]]),
    io:format("~p~n", [erlang:suspend_process(S, [unless_suspending])]),
    io:format("~p~n", [erlang:suspend_process(S)]),
    io:format("~p~n", [erlang:resume_process(S)]),
    io:format("~p~n", [receive {pong, _} -> pong after 20 -> suspended end]),
    io:format("~p~n", [erlang:resume_process(S)]),
    io:format("~p~n", [receive {pong, _} -> pong after 20 -> suspended end]),
    io:format("~p~n", [erlang:suspend_process(S, [{asynchronous, tag}])]),
    io:format("~p~n", [receive {tag, X} -> X after 100 -> none end]),
    exit(S, kill), timer:sleep(5),
    io:format("~p~n", [is_process_alive(S)]),
    [io:format("~p~n", [case catch F() of {'EXIT', {E, _}} -> E; V -> V end]) || F <- [fun() -> erlang:resume_process(S) end, fun() -> erlang:suspend_process(S) end, fun() -> erlang:suspend_process(S, [{asynchronous, tag}]) end,
      fun() -> erlang:suspend_process(self()) end, fun() -> erlang:suspend_process(x) end, fun() -> erlang:suspend_process(self(), [foo]) end, fun() -> erlang:resume_process(self()) end]],
    %% The suspender dies.
    T = spawn(fun() -> loop(Me) end),
    {_, DR} = spawn_monitor(fun() -> erlang:suspend_process(T), T ! {ping, 2}, timer:sleep(20) end),
    io:format("~p~n", [receive {pong, _} -> pong after 10 -> suspended end]),
    receive {'DOWN', DR, _, _, _} -> ok end,
    io:format("~p~n", [receive {pong, _} -> pong after 10 -> suspended end]),
    exit(T, kill),
    done.
loop(Me) -> receive {ping, N} -> Me ! {pong, N}, loop(Me) end.
woken(Me) -> receive {go, N} -> Me ! {got, N, get(x)}, exit(gone) end.
