%% A dispatcher gives jobs to three workers; each tells the collector. The worker for `b` filters its job out.
%% Cause: the worker that took {job,b} sends nothing to main (skipped_item.erl:21).
-module(skipped_item).
-export([main/0]).
main() ->
    Me = self(),
    Ws = [spawn(fun() -> worker(Me) end) || _ <- [1, 2, 3]],
    D = spawn(fun() -> dispatch(Ws) end),
    [D ! {put, J} || J <- [a, b, c]],
    collect(3, []).
collect(0, Acc) -> Acc;
collect(N, Acc) ->
    receive {done, J} -> collect(N - 1, [J | Acc]) after 1000 -> exit({missing, N, Acc}) end.
dispatch([W | Ws]) ->
    receive {put, J} -> W ! {job, J}, dispatch(Ws ++ [W]) end.
worker(To) ->
    receive
        {job, J} ->
            case lists:member(J, [a, c, d]) of
                true -> To ! {done, J};
                false -> skip
            end,
            worker(To)
    end.
