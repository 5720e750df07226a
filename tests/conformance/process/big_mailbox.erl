%% Selective receive from a mailbox of many messages.
-module(big_mailbox).
-export([main/0]).

main() ->
    [self() ! {n, N} || N <- lists:seq(1, 20000)],
    self() ! last,
    receive last -> io:format("last~n") end,
    receive {n, 10000} -> io:format("middle~n") end,
    io:format("~w~n", [drain(0)]).

drain(S) -> receive {n, N} -> drain(S + N) after 0 -> S end.
