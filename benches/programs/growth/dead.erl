%% N processes, one after the other: each sends once and ends.
-module(dead).
-export([main/1]).

main([N]) -> io:format("~p~n", [run(list_to_integer(N), 0)]).

run(0, Sum) -> Sum;
run(N, Sum) ->
    Main = self(),
    P = spawn(fun() -> Main ! {self(), N} end),
    receive {P, K} -> run(N - 1, Sum + K) end.
