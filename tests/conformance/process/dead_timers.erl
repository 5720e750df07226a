%% Timers for processes that have ended are cancelled.
-module(dead_timers).
-export([main/0]).

main() ->
    D = spawn(fun() -> ok end),
    gone(D),
    io:format("~p~n", [both(erlang:send_after(100000, D, x))]),
    io:format("~p~n", [both(erlang:start_timer(100000, D, x))]),
    P = spawn(fun() -> receive x -> ok end end),
    T = erlang:send_after(100000, P, x),
    io:format("~p~n", [is_integer(erlang:read_timer(T))]),
    P ! x,
    gone(P),
    io:format("~p~n", [both(T)]),
    A = erlang:send_after(100000, D, x),
    erlang:cancel_timer(A, [{async, true}]),
    receive {cancel_timer, A, Left} -> io:format("~p~n", [Left]) end,
    %% A name is looked up when the timer goes off.
    R = spawn(fun() -> receive x -> ok end end),
    register(dead_timers_name, R),
    N = erlang:send_after(100000, dead_timers_name, x),
    R ! x,
    gone(R),
    io:format("~p~n", [is_integer(erlang:cancel_timer(N))]),
    Q = spawn(fun() -> receive x -> ok end end),
    io:format("~p~n", [is_integer(erlang:cancel_timer(erlang:send_after(100000, Q, x)))]).

both(T) -> {erlang:read_timer(T), erlang:cancel_timer(T)}.

gone(P) ->
    Ref = monitor(process, P),
    receive {'DOWN', Ref, _, _, _} -> ok end.
