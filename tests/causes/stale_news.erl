%% A foreman gives each job to a worker of its own, and stops watching the worker when its result has come.
%% Cause: the first worker had ended before the foreman stopped watching it (line 22), so the news of its end is taken for that of the second one.
-module(stale_news).
-export([main/0]).

main() ->
    First = do(fun() -> 1 + 1 end),
    Second = do(fun() -> timer:sleep(3), 2 + 2 end),
    {2, 4} = {First, Second},
    ok.

do(Job) ->
    Foreman = self(),
    {_, Watch} = spawn_monitor(fun() -> Foreman ! {result, Job()} end),
    await(Watch).

await(Watch) ->
    timer:sleep(1),
    receive
        {result, Result} ->
            %% The message of an end that came before stays in the mailbox.
            demonitor(Watch),
            Result;
        {'DOWN', _, process, _, Why} ->
            {lost, Why}
    end.
