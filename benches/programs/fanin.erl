%% A hundred senders and one receiver; the argument is the number of messages of each sender.
-module(fanin).
-export([main/0, main/1]).

main() -> main(["4000"]).

main([Text]) ->
    N = list_to_integer(Text),
    Me = self(),
    [spawn(fun() -> send(Me, Id, N) end) || Id <- lists:seq(1, 100)],
    io:format("~w~n", [collect(100 * N, 0)]).

send(_, _, 0) -> ok;
send(To, Id, N) -> To ! {Id, N}, send(To, Id, N - 1).

collect(0, Sum) -> Sum;
collect(K, Sum) -> receive {Id, N} -> collect(K - 1, (Sum + Id * N) band 16#ffffff) end.
