%% Two clients read a number from a process that keeps it in its argument, and set it. Both write 1.
%% Cause: the process takes the second `get` before the first `{put, 1}`.
-module(two_visits).
-export([main/0]).

main() ->
    Counter = spawn_link(fun() -> counter(0) end),
    Clients = [spawn_monitor(fun() -> visit(Counter) end) || _ <- lists:seq(1, 2)],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || {_, Ref} <- Clients],
    2 = ask(Counter, get).

visit(Counter) ->
    N = ask(Counter, get),
    ok = ask(Counter, {put, N + 1}).

ask(Counter, Request) ->
    Counter ! {self(), Request},
    receive {Counter, Answer} -> Answer end.

counter(N) ->
    receive
        {Client, get} -> Client ! {self(), N}, counter(N);
        {Client, {put, New}} -> Client ! {self(), ok}, counter(New)
    end.
