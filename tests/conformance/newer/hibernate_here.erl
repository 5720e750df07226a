%% hibernate/0 keeps the call stack and returns when there is a message.
-module(hibernate_here).
-export([main/0, nap/1]).

main() ->
    self() ! already,
    io:format("~p~n", [erlang:hibernate()]),
    receive already -> ok end,
    {Pid, Ref} = spawn_monitor(?MODULE, nap, [self()]),
    receive sleeping -> ok end,
    wait_until(Pid),
    [io:format("~p~n", [Item]) || Item <- process_info(Pid, [current_function, initial_call, status, message_queue_len])],
    {current_stacktrace, Stack} = process_info(Pid, current_stacktrace),
    io:format("~p~n", [[{M, F, A} || {M, F, A, _} <- Stack]]),
    {current_location, {M, F, A, _}} = process_info(Pid, current_location),
    io:format("~p~n", [{M, F, A}]),
    Pid ! wake,
    receive {'DOWN', Ref, _, _, Reason} -> io:format("~p~n", [Reason]) end,
    Main = self(),
    %% An exit signal ends it where it sleeps; a trapped one is a message.
    {Pid2, Ref2} = spawn_monitor(fun() -> nap(Main) end),
    receive sleeping -> ok end,
    exit(Pid2, enough),
    receive {'DOWN', Ref2, _, _, Reason2} -> io:format("~p~n", [Reason2]) end,
    {Pid3, Ref3} = spawn_monitor(fun() ->
        process_flag(trap_exit, true),
        Main ! ready,
        erlang:hibernate(),
        receive {'EXIT', Main, Why} -> exit({woken, Why}) end
    end),
    receive ready -> ok end,
    exit(Pid3, enough),
    receive {'DOWN', Ref3, _, _, Reason3} -> io:format("~p~n", [Reason3]) end,
    try 1 + nap(no_pid) catch error:badarg -> io:format("caught~n") end.

nap(Who) ->
    Who ! sleeping,
    Result = erlang:hibernate(),
    receive sleeping -> nap(none); Message -> exit({Result, Message}) end.

wait_until(Pid) ->
    case process_info(Pid, status) of
        {status, waiting} -> ok;
        _ -> timer:sleep(1), wait_until(Pid)
    end.
