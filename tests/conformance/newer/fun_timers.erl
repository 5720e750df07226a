%% Timers that call funs, and calls that are repeated when the last one has ended.
-module(fun_timers).
-export([main/0, tell/2]).

main() ->
    Me = self(),
    {ok, {once, _}} = timer:apply_after(1, fun() -> Me ! {zero, self() =/= Me} end),
    receive {zero, Other} -> io:format("~p~n", [Other]) end,
    {ok, _} = timer:apply_after(1, fun(A, B) -> Me ! {two, A, B} end, [a, b]),
    receive {two, A, B} -> io:format("~p ~p~n", [A, B]) end,
    {ok, {instant, _}} = timer:apply_after(0, fun() -> Me ! now end),
    receive now -> io:format("now~n") end,
    {ok, Every} = timer:apply_interval(5, fun() -> Me ! every end),
    io:format("~p~n", [[receive every -> every end || _ <- [1, 2, 3]]]),
    {ok, cancel} = timer:cancel(Every),
    {ok, With} = timer:apply_interval(5, fun(X) -> Me ! {every, X} end, [x]),
    io:format("~p~n", [[receive {every, X} -> X end || _ <- [1, 2]]]),
    {ok, cancel} = timer:cancel(With),
    repeatedly(Me),
    {ok, MFA} = timer:apply_repeatedly(2, ?MODULE, tell, [Me, mfa]),
    receive mfa -> io:format("mfa~n") end,
    {ok, cancel} = timer:cancel(MFA),
    {ok, cancel} = timer:cancel(MFA),
    {ok, F1} = timer:apply_repeatedly(2, fun(To) -> To ! with end, [Me]),
    receive with -> io:format("with~n") end,
    timer:cancel(F1),
    ended(Me),
    Wrong = [{apply_after, [1, x]}, {apply_after, [a, fun() -> ok end]}, {apply_after, [1, fun(_) -> ok end]}, {apply_after, [1, fun() -> ok end, [1]]},
             {apply_after, [-1, fun() -> ok end, []]}, {apply_interval, [1, x]}, {apply_interval, [a, fun() -> ok end]}, {apply_interval, [1, fun() -> ok end, x]},
             {apply_repeatedly, [1, x]}, {apply_repeatedly, [-1, fun() -> ok end]}, {apply_repeatedly, [1, fun(_) -> ok end, []]},
             {apply_repeatedly, [1, 2, f, []]}, {apply_repeatedly, [a, lists, f, []]}],
    [io:format("~p/~p ~p~n", [F, length(A1), apply(timer, F, A1)]) || {F, A1} <- Wrong],
    measured().

%% Each call takes longer than the interval; none begins before the last has ended.
repeatedly(Me) ->
    {ok, Timer} = timer:apply_repeatedly(2, fun() -> Me ! {began, self()}, timer:sleep(10), Me ! {ended, self()} end),
    Order = [receive {What, Pid} when is_pid(Pid) -> What end || _ <- [1, 2, 3, 4, 5, 6]],
    {ok, cancel} = timer:cancel(Timer),
    io:format("~p~n", [Order]),
    flush(),
    %% A call that crashes is followed by the next one.
    {ok, Crashing} = timer:apply_repeatedly(2, fun() -> Me ! crashing, exit(crashed) end),
    io:format("~p~n", [[receive crashing -> crashing end || _ <- [1, 2]]]),
    timer:cancel(Crashing),
    flush().

%% It ends with the process that asked for it.
ended(Me) ->
    {Pid, Ref} = spawn_monitor(fun() -> {ok, _} = timer:apply_repeatedly(2, fun() -> Me ! tick end), receive stop -> ok end end),
    receive tick -> ok end,
    Pid ! stop,
    receive {'DOWN', Ref, _, _, _} -> ok end,
    timer:sleep(20),
    flush(),
    io:format("~p~n", [receive tick -> tick after 20 -> silent end]).

measured() ->
    {T1, one} = timer:tc(fun() -> one end, nanosecond),
    {T2, [c, b, a]} = timer:tc(fun lists:reverse/1, [[a, b, c]], millisecond),
    {T3, 3} = timer:tc(erlang, '+', [1, 2], second),
    {T4, 5} = timer:tc(fun erlang:'+'/2, [2, 3]),
    io:format("~p~n", [[is_integer(T) andalso T >= 0 || T <- [T1, T2, T3, T4]]]),
    [io:format("~p~n", [try timer:tc(fun() -> 1 end, Unit) catch error:Reason -> Reason end]) || Unit <- [lightyear, 0]].

tell(Who, What) -> Who ! What.

flush() -> receive _ -> flush() after 0 -> ok end.
