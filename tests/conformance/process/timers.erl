%% Timers: send_after, start_timer, cancel, read, the timer module.
-module(timers).
-export([main/0]).

main() ->
    erlang:send_after(5, self(), later), receive later -> io:format("later~n") end,
    R = erlang:start_timer(5, self(), msg), receive {timeout, R, msg} -> io:format("timeout~n") end,
    R2 = erlang:send_after(100000, self(), never), T = erlang:read_timer(R2), io:format("~w~n", [is_integer(T) andalso T > 0]), C = erlang:cancel_timer(R2), io:format("~w~n", [is_integer(C) andalso C > 0]), io:format("~w ~w~n", [erlang:cancel_timer(R2), erlang:read_timer(R2)]),
    register(me, self()), erlang:send_after(1, me, by_name), receive by_name -> io:format("by name~n") end,
    {ok, _} = timer:send_after(2, tick), receive tick -> io:format("tick~n") end,
    {ok, T2} = timer:send_interval(2, again), receive again -> receive again -> io:format("again again~n") end end, io:format("~w~n", [timer:cancel(T2)]),
    {ok, _} = timer:apply_after(1, erlang, send, [self(), applied]), receive applied -> io:format("applied~n") end,
    {Us, V} = timer:tc(fun() -> done end), io:format("~w ~w~n", [is_integer(Us), V]),
    {_, V2} = timer:tc(lists, sum, [[1, 2]]), io:format("~w~n", [V2]),
    io:format("~w ~w ~w~n", [timer:seconds(2), timer:minutes(1), timer:hms(1, 1, 1)]),
    A = erlang:send_after(1, self(), first), B = erlang:send_after(15, self(), second), receive X when X =:= first; X =:= second -> receive Y when Y =:= first; Y =:= second -> io:format("~w ~w~n", [X, Y]) end end, true = A =/= B,
    io:format("~w~n", [try erlang:send_after(-1, self(), x) catch error:E -> E end]),
    io:format("~w~n", [try erlang:start_timer(a, self(), x) catch error:E1 -> E1 end]),
    exit_after().

exit_after() ->
    {P, M} = spawn_monitor(fun() -> timer:exit_after(1, timed), receive after infinity -> ok end end),
    receive {'DOWN', M, process, P, W} -> io:format("~w~n", [W]) end,
    {P2, M2} = spawn_monitor(fun() -> timer:kill_after(1), receive after infinity -> ok end end),
    receive {'DOWN', M2, process, P2, W2} -> io:format("~w~n", [W2]) end.
