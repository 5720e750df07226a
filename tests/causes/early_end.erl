%% A clerk waits for the result of a job that is done by two: one starts it and is ended then, the other sends the result.
%% Cause: the clerk takes the end of the first one, who was killed before he was watched, for the end of the job.
-module(early_end).
-export([main/0]).

main() ->
    Clerk = spawn(fun() -> clerk() end),
    First = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> Clerk ! {result, 42} end),
    exit(First, kill),
    Clerk ! {watch, First, self()},
    receive {answer, Answer} -> {ok, 42} = Answer end.

clerk() ->
    receive {watch, First, From} -> ok end,
    Ref = monitor(process, First),
    receive
        {result, Result} -> From ! {answer, {ok, Result}};
        {'DOWN', Ref, process, First, _} -> From ! {answer, lost}
    end.
