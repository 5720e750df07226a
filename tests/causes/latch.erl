%% A waiter looks whether a latch is open, and subscribes if not. It opens in between, and whoever opens it tells only those it knows.
%% Cause: the latch was opened after the waiter had looked and before it subscribed, so nobody told it.
-module(latch).
-export([main/0]).

main() ->
    Latch = spawn_link(fun() -> latch(closed, []) end),
    Me = self(),
    spawn_link(fun() -> timer:sleep(2), Latch ! open end),
    W = [spawn_link(fun() -> await(Latch, N), Me ! {through, N} end) || N <- [1, 2]],
    [receive {through, N} -> ok after 1000 -> exit({stuck_at_latch, N}) end || {N, _} <- lists:enumerate(W)].

await(Latch, N) ->
    timer:sleep(N - 1),
    Latch ! {state, self()},
    receive
        {state, open} -> ok;
        {state, closed} ->
            timer:sleep(N),
            Latch ! {subscribe, self()},
            receive opened -> ok end
    end.

latch(State, Subscribers) ->
    receive
        {state, From} -> From ! {state, State}, latch(State, Subscribers);
        {subscribe, From} -> latch(State, [From | Subscribers]);
        open -> [S ! opened || S <- Subscribers], latch(open, [])
    end.
