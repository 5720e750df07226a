%% A token through a ring of processes.
-module(ring).
-export([main/0]).

main() ->
    N = 100, M = 10,
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> node_loop(Next) end) end, self(), lists:seq(1, N)),
    io:format("~w~n", [run(Last, M, 0)]),
    Last ! stop,
    receive stop -> io:format("stopped~n") end.

run(_, 0, Acc) -> Acc;
run(First, M, Acc) -> First ! {token, 0}, receive {token, K} -> run(First, M - 1, Acc + K) end.

node_loop(Next) ->
    receive
        {token, K} -> Next ! {token, K + 1}, node_loop(Next);
        stop -> Next ! stop
    end.
