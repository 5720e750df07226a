%% The sum of the first two answers is taken for all. The fix waits for all, and has one more worker, which is started first.
-module(worker_added).
-export([main/0]).

main() ->
    Me = self(),
    Workers = [spawn(fun() -> worker(Me, N) end) || N <- [0, 1, 2, 3]],
    Sum = collect(length(Workers), 0),
    case Sum of
        6 -> ok;
        _ -> error({sum, Sum})
    end.

worker(To, N) -> To ! {part, N}.

collect(0, Sum) -> Sum;
collect(N, Sum) -> receive {part, P} -> collect(N - 1, Sum + P) end.
