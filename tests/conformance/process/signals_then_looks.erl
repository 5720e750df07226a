%% What looks at a process, or changes it, comes after the exit signal that the same process has sent to it.
-module(signals_then_looks).
-export([main/0]).

main() ->
    Looks = [fun(P) -> process_info(P) end, fun(P) -> process_info(P, message_queue_len) end, fun(P) -> process_info(P, [links, status]) end,
             fun is_process_alive/1, fun erlang:suspend_process/1, fun(P) -> process_flag(P, save_calls, 1) end,
             fun(P) -> group_leader(self(), P) end, fun erlang:garbage_collect/1, fun erlang:resume_process/1],
    [io:format("~p ~p~n", [look(Look, foo), look(Look, kill)]) || Look <- Looks],
    %% Messages, too.
    Q = spawn(fun() -> receive never -> ok end end),
    Q ! one,
    Q ! two,
    io:format("~p~n", [process_info(Q, message_queue_len)]),
    io:format("~p~n", [process_info(Q, messages)]),
    %% By a name that the process had.
    N = spawn(fun() -> receive never -> ok end end),
    register(signals_then_looks_name, N),
    exit(N, foo),
    io:format("~p~n", [is_process_alive(N)]),
    Ref = monitor(process, signals_then_looks_name),
    io:format("~p~n", [receive {'DOWN', Ref, process, Who, Why} -> {element(1, Who), Why} end]).

look(Look, Reason) ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, Reason),
    try Look(P) catch Class:Why -> {Class, Why} end.
