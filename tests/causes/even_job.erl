%% Two clients ask one worker; main's second job is lost because the worker skips even jobs of main. Cause: worker took {job,2,main}: skipped.
-module(even_job).
-export([main/0]).
main() ->
    W = spawn(fun worker/0),
    Me = self(),
    spawn(fun() -> [begin W ! {job, N, self()}, receive {done, N} -> ok end end || N <- [11, 13, 15]], Me ! other_done end),
    receive other_done -> ok end,
    [begin W ! {job, N, self()}, receive {done, N} -> ok after 100 -> exit({no_answer, N}) end end || N <- [1, 2]].
worker() ->
    receive
        {job, N, _} when N rem 2 =:= 0 -> worker();
        {job, N, From} -> From ! {done, N}, worker()
    end.
