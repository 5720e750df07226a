%% A session ends when nothing was heard for 10 ms. A message that comes just then cancels the timer, but its timeout is already in the mailbox.
%% Cause: the timer had run out before cancel_timer was called; its message stayed in the mailbox and ended the session.
-module(ticker).
-export([main/0]).

main() ->
    Me = self(),
    S = spawn(fun() -> session(Me, start_timer(), 0) end),
    M = monitor(process, S),
    [begin timer:sleep(Ms), S ! {data, Ms} end || Ms <- [5, 8, 9]],
    S ! {busy, self()},
    receive {'DOWN', M, _, _, Why} -> exit({session_lost, Why}) after 30 -> ok end,
    S ! {get, self()},
    receive
        {count, 3} -> ok;
        {'DOWN', M, _, _, Why2} -> exit({session_lost, Why2})
    end.

start_timer() -> erlang:send_after(10, self(), idle).

session(Parent, Timer, N) ->
    receive
        {data, _} ->
            erlang:cancel_timer(Timer),
            session(Parent, start_timer(), N + 1);
        {busy, _} ->
            timer:sleep(12),
            erlang:cancel_timer(Timer),
            session(Parent, start_timer(), N);
        {get, From} -> From ! {count, N}, session(Parent, Timer, N);
        idle -> exit(idle)
    end.
