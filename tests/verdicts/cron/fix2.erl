%% A job runner: one job at a time, each with a deadline; the deadline names its job.
-module(cron).
-export([main/0]).

main() ->
    Me = self(),
    R = spawn_link(fun() -> runner(Me) end),
    [R ! {job, N, T} || {N, T} <- [{a, 9}, {b, 8}, {c, 1}]],
    Results = [receive {result, N, Res} -> {N, Res} end || N <- [a, b, c]],
    R ! stop,
    io:format("~p~n", [Results]),
    case [N || {N, killed} <- Results, N =/= a] of
        [] -> ok;
        Victims -> error({killed_in_time, Victims})
    end.

runner(Boss) ->
    receive
        {job, Name, Ms} ->
            {Pid, Ref} = spawn_monitor(fun() -> job(Ms) end),
            Timer = erlang:start_timer(10, self(), late),
            Result = supervise(Pid, Ref, Timer),
            archive(Name, Result),
            Boss ! {result, Name, Result},
            runner(Boss);
        {timeout, _, late} -> runner(Boss);
        stop -> ok
    end.

job(Ms) -> receive after Ms -> ok end.

supervise(Pid, Ref, Timer) ->
    receive
        {'DOWN', Ref, process, _, Why} ->
            erlang:cancel_timer(Timer),
            verdict(Why);
        {timeout, Timer, late} ->
            exit(Pid, kill),
            receive {'DOWN', Ref, process, _, Why} -> verdict(Why) end
    end.

verdict(normal) -> ok;
verdict(_) -> killed.

%% Takes its time.
archive(Name, Result) -> lists:foldl(fun(N, Sum) -> erlang:phash2({Sum, N}) end, 0, lists:seq(1, 20000)), {Name, Result}.
