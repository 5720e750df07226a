%% Two processes that answer each other; the argument is the number of round trips.
-module(pingpong).
-export([main/0, main/1]).

main() -> main(["200000"]).

main([N]) ->
    Me = self(),
    Pong = spawn(fun() -> pong(Me) end),
    io:format("~w~n", [ping(Pong, list_to_integer(N), 0)]),
    Pong ! stop.

ping(_, 0, Sum) -> Sum;
ping(Pong, N, Sum) ->
    Pong ! {ping, N},
    receive {pong, K} -> ping(Pong, N - 1, (Sum + K) band 16#ffffff) end.

pong(Ping) ->
    receive
        {ping, N} -> Ping ! {pong, N}, pong(Ping);
        stop -> ok
    end.
