%% N living processes, each of which answers once and then waits.
-module(alive).
-export([main/1]).

main([N]) ->
    All = [spawn(fun loop/0) || _ <- lists:seq(1, list_to_integer(N))],
    [P ! {self(), 1} || P <- All],
    io:format("~p~n", [lists:sum([receive {answer, V} -> V end || _ <- All])]).

loop() ->
    receive {From, V} -> From ! {answer, V}, loop() end.
