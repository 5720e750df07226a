%% A job runner: one job at a time, each with a deadline by erlang:send_after; a job that is late is killed.
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
            {Pid, Ref} = spawn_monitor(fun() -> work(Ms) end),
            Self = self(),
            {ok, Timer} = timer:send_after(10, Self, deadline),
            Result = await(Pid, Ref),
            archive(Name, Result),
            {ok, cancel} = timer:cancel(Timer),
            Boss ! {result, Name, Result},
            runner(Boss);
        stop -> ok
    end.

work(Ms) -> timer:sleep(Ms).

await(Pid, Ref) ->
    receive
        {'DOWN', Ref, process, Pid, normal} -> ok;
        {'DOWN', Ref, process, Pid, _} -> killed;
        deadline ->
            exit(Pid, kill),
            receive {'DOWN', Ref, process, Pid, normal} -> ok;
                    {'DOWN', Ref, process, Pid, _} -> killed
            end
    end.

%% Takes its time.
archive(Name, Result) -> lists:foldl(fun(N, Sum) -> erlang:phash2({Sum, N}) end, 0, lists:seq(1, 20000)), {Name, Result}.
