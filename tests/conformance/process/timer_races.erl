%% Timers that are cancelled while they fire, restarted, read, sent to names and to the dead.
-module(timer_races).
-export([main/0]).

main() ->
    io:format("~p~n", [lists:usort([race(N) || N <- lists:seq(0, 20)])]),
    io:format("~p~n", [debounce(10)]),
    R1 = erlang:start_timer(5, nobody_there, x), R2 = erlang:send_after(1, spawn(fun() -> ok end), y),
    timer:sleep(10),
    io:format("~p ~p ~p~n", [erlang:cancel_timer(R1), erlang:read_timer(R2), erlang:cancel_timer(R2, [{async, true}, {info, false}])]),
    register(late, spawn_link(fun() -> receive {timeout, _, M} -> exit({late, M}) end end)),
    process_flag(trap_exit, true),
    erlang:start_timer(3, late, msg),
    receive {'EXIT', _, W} -> io:format("~p~n", [W]) end,
    Long = erlang:send_after(100000, self(), never),
    Left = erlang:cancel_timer(Long),
    io:format("~p ~p~n", [is_integer(Left), erlang:cancel_timer(Long)]),
    A = erlang:send_after(30, self(), abort, [{abs, false}]),
    io:format("~p~n", [receive abort -> aborted after 5 -> Cancelled = is_integer(erlang:cancel_timer(A)), {kept, Cancelled} end]),
    {ok, TRef} = timer:send_interval(2, self(), tick),
    [receive tick -> ok end || _ <- [1, 2, 3]],
    {ok, cancel} = timer:cancel(TRef),
    flush(),
    io:format("~p~n", [receive tick -> still after 10 -> quiet end]),
    {ok, Kill} = timer:kill_after(2, V = spawn_link(fun() -> receive after infinity -> ok end end)),
    receive {'EXIT', V, Killed} -> io:format("~p ~p~n", [Killed, element(1, timer:cancel(Kill))]) end,
    io:format("~p~n", [[T || T <- [catch erlang:send_after(-1, self(), x), catch erlang:start_timer(a, self(), x)], element(1, element(2, T)) =/= badarg]]).

%% Either the timer is cancelled and no message comes, or it fired and the message is there.
race(N) ->
    R = erlang:start_timer(N rem 3, self(), N),
    spin(N * 10),
    case erlang:cancel_timer(R) of
        false -> receive {timeout, R, N} -> consistent after 100 -> {lost, N} end;
        T when is_integer(T) -> receive {timeout, R, N} -> {both, N} after 5 -> consistent end
    end.

debounce(N) -> debounce(N, none, 0).
debounce(0, R, Seen) -> receive {fire, _} -> debounced(R, Seen + 1) after 50 -> Seen end;
debounce(N, R, Seen) ->
    R =/= none andalso erlang:cancel_timer(R),
    debounce(N - 1, erlang:send_after(15, self(), {fire, N}), Seen).
debounced(_, Seen) -> receive {fire, _} -> Seen + 100 after 30 -> Seen end.
flush() -> receive tick -> flush() after 0 -> ok end.
spin(0) -> ok;
spin(N) -> spin(N - 1).
