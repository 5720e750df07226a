%% As two clients, but main waits for the ack of another process that never gets its job. Cause: nobody sends {job,3,_}: the dispatcher stops after two.
-module(third_item).
-export([main/0]).
main() ->
    Me = self(),
    W = spawn(fun() -> worker(Me) end),
    D = spawn(fun() -> dispatch(W, 2) end),
    [D ! {put, N} || N <- [1, 2, 3]],
    [receive {ack, N} -> ok after 200 -> exit({missing, N}) end || N <- [1, 2, 3]].
dispatch(_, 0) -> done;
dispatch(W, N) -> receive {put, J} -> W ! {job, J}, dispatch(W, N - 1) end.
worker(To) -> receive {job, J} -> To ! {ack, J}, worker(To) end.
