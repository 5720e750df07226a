%% Many independent groups of a server and four clients, a hundred at a time. The argument is the number of hundreds.
%% Under virtual time a timeout comes when all that was started is done, so that no group is among the causes of another; and groups are
%% started by a tree of processes, so that none has many spawns among its causes.
-module(groups).
-export([main/0, main/1]).

main() -> main(["10"]).

main([Text]) -> eras(list_to_integer(Text)).

eras(N) when N =< 0 -> io:format("done~n");
eras(N) ->
    spawn(fun() -> hundreds(min(N, 60)) end),
    receive after 100000 -> eras(N - 60) end.

hundreds(0) -> ok;
hundreds(N) ->
    spawn(fun() -> [spawn(fun() -> group(250) end) || _ <- lists:seq(1, 100)] end),
    receive after 1000 -> hundreds(N - 1) end.

group(Rounds) ->
    Me = self(),
    [spawn(fun() -> client(Me, Rounds, K) end) || K <- lists:seq(1, 4)],
    serve(4 * Rounds, 0).

serve(0, _) -> ok;
serve(N, Sum) ->
    receive {From, K} -> From ! {sum, Sum + K}, serve(N - 1, Sum + K) end.

client(_, 0, _) -> ok;
client(Server, N, K) ->
    Server ! {self(), K},
    receive {sum, Sum} -> client(Server, N - 1, (K + Sum) rem 7) end.
