%% Three workers report to the main process. One of them gets a job for which it does not report.
%% Cause: the worker took {job,3} and matched `{job, N} when N > 2 -> ok`, without sending {done, _} to main, which waits for it.
-module(quiet_worker).
-export([main/0]).

main() ->
    Me = self(),
    Ws = [spawn(fun() -> worker(Me) end) || _ <- [1, 2, 3]],
    [W ! {job, N} || {W, N} <- lists:zip(Ws, [1, 2, 3])],
    [receive {done, N} -> ok end || N <- [1, 2, 3]],
    io:format("all done~n").

worker(Main) ->
    receive
        {job, N} when N > 2 ->
            log(N),
            worker(Main);
        {job, N} ->
            Main ! {done, N},
            worker(Main)
    end.

log(N) -> put(last, N).
