%% A worker catches what a job raises, and forgets to say so. Main waits for its acknowledgement.
%% Cause: the worker took {job,2,0}, caught error badarith (caught_job.erl:27), and sent no {ack,2}.
-module(caught_job).
-export([main/0]).

main() ->
    Me = self(),
    W = spawn(fun() -> worker(Me) end),
    lists:foreach(fun({N, D}) ->
        W ! {job, N, D},
        receive {ack, N} -> ok after 500 -> exit({no_ack, N}) end
    end, [{1, 5}, {2, 0}]).

worker(Main) ->
    receive
        {job, N, D} ->
            try
                R = divide(D),
                put(N, R),
                Main ! {ack, N}
            catch
                error:_ -> ok
            end,
            worker(Main)
    end.

divide(D) -> 100 div D.
