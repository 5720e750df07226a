%% The functions of `timer`: what they send and call, what they refuse, and what `cancel` says.
-module(timer_module).
-export([main/0, tell/2]).

main() ->
    {ok, Interval} = timer:send_interval(20, tick),
    [receive tick -> ok end || _ <- [1, 2, 3]],
    io:format("~p ~p~n", [timer:cancel(Interval), catch_(fun() -> timer:cancel(Interval) end)]),
    timer:sleep(60),
    io:format("~p~n", [ticks(0) =< 1]),
    {ok, Applied} = timer:apply_interval(20, ?MODULE, tell, [self(), applied]),
    [receive {Pid, applied} when Pid =/= self() -> ok end || _ <- [1, 2]],
    {ok, cancel} = timer:cancel(Applied),
    {ok, _} = timer:apply_after(10, ?MODULE, tell, [self(), once]),
    receive {_, once} -> io:format("once~n") end,
    {ok, _} = timer:send_after(10, self(), direct),
    receive direct -> io:format("direct~n") end,
    {ok, Never} = timer:send_after(1000, never),
    io:format("~p~n", [timer:cancel(Never)]),
    named(),
    ended(),
    interval_of_the_dead(),
    refused(),
    io:format("~p ~p ~p ~p~n", [timer:seconds(3), timer:minutes(2), timer:hours(1), timer:hms(1, 2, 3)]),
    {Time, Value} = timer:tc(fun(X) -> X + 1 end, [1]),
    io:format("~p ~p~n", [is_integer(Time), Value]),
    {Slept, ok} = timer:tc(fun() -> timer:sleep(20) end),
    io:format("~p ~p~n", [Slept >= 20000, element(2, timer:tc(lists, reverse, [[1, 2]]))]),
    T1 = erlang:timestamp(), timer:sleep(5),
    io:format("~p~n", [timer:now_diff(erlang:timestamp(), T1) >= 5000]).

tell(To, What) -> To ! {self(), What}.

ticks(N) -> receive tick -> ticks(N + 1) after 0 -> N end.

catch_(Call) -> try Call() catch Class:Reason -> {Class, Reason} end.

named() ->
    register(me, self()),
    {ok, _} = timer:send_after(5, me, by_name),
    receive by_name -> io:format("by name~n") end,
    {ok, Ref} = timer:send_interval(5, me, again),
    receive again -> ok end,
    {ok, cancel} = timer:cancel(Ref),
    unregister(me),
    {ok, _} = timer:send_after(5, me, nobody),
    timer:sleep(20).

ended() ->
    [begin
        {Pid, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
        {ok, _} = End(Pid),
        receive {'DOWN', Ref, process, Pid, Reason} -> io:format("~p~n", [Reason]) end
     end || End <- [fun(P) -> timer:exit_after(5, P, bye) end, fun(P) -> timer:kill_after(5, P) end]],
    {Self, Ref} = spawn_monitor(fun() -> {ok, _} = timer:exit_after(5, myself), receive never -> ok end end),
    receive {'DOWN', Ref, process, Self, Reason} -> io:format("~p~n", [Reason]) end.

%% An interval ends with the process that asked for it.
interval_of_the_dead() ->
    Main = self(),
    {Pid, Ref} = spawn_monitor(fun() -> {ok, _} = timer:send_interval(5, beat), receive beat -> Main ! beat end end),
    receive beat -> ok end,
    receive {'DOWN', Ref, process, Pid, normal} -> io:format("gone~n") end.

refused() ->
    Bad = [fun() -> timer:send_after(-1, x) end, fun() -> timer:send_after(a, self(), x) end, fun() -> timer:apply_after(1, "m", f, []) end,
           fun() -> timer:apply_interval(x, m, f, []) end, fun() -> timer:send_interval(-5, x) end, fun() -> timer:cancel(foo) end,
           fun() -> timer:exit_after(-1, x) end],
    [io:format("~p~n", [catch_(Call)]) || Call <- Bad].
