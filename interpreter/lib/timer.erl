%% The module `timer`. Sends to a local process by a timer of the runtime; everything else by the process `timer_server`.
-module(timer).
-export([apply_after/4, apply_interval/4,
         send_after/3, send_after/2, send_interval/3, send_interval/2, exit_after/3, exit_after/2,
         kill_after/2, kill_after/1, cancel/1, sleep/1, tc/1, tc/2, tc/3, now_diff/2, seconds/1, minutes/1, hours/1, hms/3, start/0, start_link/0,
         init/1]).
-if(?OTP_RELEASE >= 26).
-export([apply_repeatedly/4, tc/4]).
-endif.
-if(?OTP_RELEASE >= 27).
-export([apply_after/2, apply_after/3, apply_interval/2, apply_interval/3, apply_repeatedly/2, apply_repeatedly/3]).
-endif.

%% A receive waits 49 days at most.
sleep(Time) when is_integer(Time), Time > 16#ffffffff ->
    sleep(16#ffffffff),
    sleep(Time - 16#ffffffff);
sleep(Time) ->
    receive
    after Time -> ok
    end.

tc(F) ->
    T1 = erlang:monotonic_time(),
    Value = F(),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, microsecond), Value}.

-if(?OTP_RELEASE >= 26).
tc(F, A) when is_list(A) -> tc(F, A, microsecond);
tc(F, Unit) ->
    T1 = erlang:monotonic_time(),
    Value = F(),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, Unit), Value}.

tc(M, F, A) when is_list(A) -> tc(M, F, A, microsecond);
tc(F, A, Unit) ->
    T1 = erlang:monotonic_time(),
    Value = apply(F, A),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, Unit), Value}.
-else.
tc(F, A) ->
    T1 = erlang:monotonic_time(),
    Value = apply(F, A),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, microsecond), Value}.

tc(M, F, A) ->
    T1 = erlang:monotonic_time(),
    Value = apply(M, F, A),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, microsecond), Value}.
-endif.

tc(M, F, A, Unit) ->
    T1 = erlang:monotonic_time(),
    Value = apply(M, F, A),
    T2 = erlang:monotonic_time(),
    {erlang:convert_time_unit(T2 - T1, native, Unit), Value}.

now_diff({A2, B2, C2}, {A1, B1, C1}) -> ((A2 - A1) * 1000000 + B2 - B1) * 1000000 + C2 - C1.

seconds(Seconds) -> 1000 * Seconds.

minutes(Minutes) -> 1000 * 60 * Minutes.

hours(Hours) -> 1000 * 60 * 60 * Hours.

hms(H, M, S) -> hours(H) + minutes(M) + seconds(S).

-define(is_time(T), (is_integer(T) andalso T >= 0)).

apply_after(Time, F) when is_function(F, 0) -> apply_after(Time, erlang, apply, [F, []]);
apply_after(_, _) -> {error, badarg}.

apply_after(Time, F, A) when is_list(A), is_function(F, length(A)) -> apply_after(Time, erlang, apply, [F, A]);
apply_after(_, _, _) -> {error, badarg}.

apply_after(0, M, F, A) when is_atom(M), is_atom(F), is_list(A) ->
    spawn(M, F, A),
    {ok, {instant, make_ref()}};
apply_after(Time, M, F, A) when ?is_time(Time), is_atom(M), is_atom(F), is_list(A) -> request({apply_once, Time, {M, F, A}});
apply_after(_, _, _, _) -> {error, badarg}.

apply_interval(Time, F) when is_function(F, 0) -> apply_interval(Time, erlang, apply, [F, []]);
apply_interval(_, _) -> {error, badarg}.

apply_interval(Time, F, A) when is_list(A), is_function(F, length(A)) -> apply_interval(Time, erlang, apply, [F, A]);
apply_interval(_, _, _) -> {error, badarg}.

apply_interval(Time, M, F, A) when ?is_time(Time), is_atom(M), is_atom(F), is_list(A) -> request({apply_interval, Time, self(), {M, F, A}});
apply_interval(_, _, _, _) -> {error, badarg}.

%% As an interval, but no call begins before the one before it has ended.
apply_repeatedly(Time, F) when is_function(F, 0) -> apply_repeatedly(Time, erlang, apply, [F, []]);
apply_repeatedly(_, _) -> {error, badarg}.

apply_repeatedly(Time, F, A) when is_list(A), is_function(F, length(A)) -> apply_repeatedly(Time, erlang, apply, [F, A]);
apply_repeatedly(_, _, _) -> {error, badarg}.

apply_repeatedly(Time, M, F, A) when ?is_time(Time), is_atom(M), is_atom(F), is_list(A) -> request({apply_repeatedly, Time, self(), {M, F, A}});
apply_repeatedly(_, _, _, _) -> {error, badarg}.

send_after(0, Dest, Message) when is_pid(Dest); is_atom(Dest); tuple_size(Dest) =:= 2, is_atom(element(1, Dest)), is_atom(element(2, Dest)) ->
    Dest ! Message,
    {ok, {instant, make_ref()}};
send_after(Time, Pid, Message) when ?is_time(Time), is_pid(Pid), node(Pid) =:= node() ->
    {ok, {send_local, erlang:send_after(Time, Pid, Message)}};
send_after(Time, Pid, Message) when ?is_time(Time), is_pid(Pid) -> apply_after(Time, erlang, send, [Pid, Message]);
send_after(Time, RegName, Message) when ?is_time(Time), is_atom(RegName) -> apply_after(Time, erlang, send, [RegName, Message]);
send_after(Time, {RegName, Node} = Dest, Message) when ?is_time(Time), is_atom(RegName), is_atom(Node) ->
    apply_after(Time, erlang, send, [Dest, Message]);
send_after(_, _, _) -> {error, badarg}.

send_after(Time, Message) -> send_after(Time, self(), Message).

%% A name is looked up when the timer is set, for the monitor that ends it, and again for each message.
send_interval(Time, Dest, Message) when ?is_time(Time), is_pid(Dest); ?is_time(Time), is_atom(Dest) ->
    request({send_interval, Time, Dest, Message});
send_interval(Time, {RegName, Node} = Dest, Message) when ?is_time(Time), is_atom(RegName), is_atom(Node) ->
    request({send_interval, Time, Dest, Message});
send_interval(_, _, _) -> {error, badarg}.

send_interval(Time, Message) -> send_interval(Time, self(), Message).

exit_after(Time, Target, Reason) -> apply_after(Time, erlang, exit, [Target, Reason]).

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

kill_after(Time, Pid) -> exit_after(Time, Pid, kill).

kill_after(Time) -> exit_after(Time, self(), kill).

cancel({instant, Ref}) when is_reference(Ref) -> {ok, cancel};
cancel({send_local, Ref}) when is_reference(Ref) ->
    erlang:cancel_timer(Ref),
    {ok, cancel};
cancel({Kind, Ref} = TRef) when is_reference(Ref), Kind =:= once; is_reference(Ref), Kind =:= interval -> request({cancel, TRef});
cancel(_) -> {error, badarg}.

%% ---- the server -----------------------------------------------------------------------------------------------------

start() ->
    case whereis(timer_server) of
        undefined ->
            _ = proc_lib:start(?MODULE, init, [self()]),
            ok;
        _ -> ok
    end.

start_link() -> proc_lib:start_link(?MODULE, init, [self()]).

request(Request) ->
    start(),
    Mref = erlang:monitor(process, timer_server),
    timer_server ! {request, {self(), Mref}, Request},
    receive
        {Mref, Reply} ->
            erlang:demonitor(Mref, [flush]),
            Reply;
        {'DOWN', Mref, _, _, _} -> {error, noproc}
    end.

init(Starter) ->
    try register(timer_server, self()) of
        true ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(#{})
    catch
        error:badarg -> proc_lib:init_ack(Starter, {error, already_started})
    end.

%% Timers is a map: the reference in a timer's name to what it does. That of an interval is the monitor of the process it is for.
loop(Timers) ->
    receive
        {request, From, Request} ->
            {Reply, NTimers} = handle(Request, Timers),
            gen:reply(From, Reply),
            loop(NTimers);
        {timeout, Timer, {run, Ref}} -> loop(run(Timer, Ref, Timers));
        {{ended, Ref}, _, process, _, _} -> loop(repeat(Ref, Timers));
        {'DOWN', Ref, process, _, _} -> loop(forget(Ref, Timers));
        _ -> loop(Timers)
    end.

handle({apply_once, Time, MFA}, Timers) ->
    Ref = make_ref(),
    {{ok, {once, Ref}}, Timers#{Ref => {once, erlang:start_timer(Time, self(), {run, Ref}), MFA}}};
handle({apply_interval, Time, Pid, MFA}, Timers) -> interval(Time, Pid, {apply, MFA}, Timers);
handle({apply_repeatedly, Time, Pid, MFA}, Timers) -> interval(Time, Pid, {repeat, MFA}, Timers);
handle({send_interval, Time, Dest, Message}, Timers) -> interval(Time, Dest, {send, Dest, Message}, Timers);
handle({cancel, {_, Ref}}, Timers) -> {{ok, cancel}, forget(Ref, Timers)}.

interval(Time, Pid, Action, Timers) ->
    Ref = erlang:monitor(process, Pid),
    Next = erlang:monotonic_time(millisecond) + Time,
    Timer = erlang:start_timer(Next, self(), {run, Ref}, [{abs, true}]),
    {{ok, {interval, Ref}}, Timers#{Ref => {interval, Timer, Next, Time, Action}}}.

run(Timer, Ref, Timers) ->
    case Timers of
        #{Ref := {once, Timer, {M, F, A}}} ->
            spawn_action(M, F, A),
            maps:remove(Ref, Timers);
        #{Ref := {interval, Timer, At, Time, {repeat, {M, F, A}} = Action}} ->
            _ = spawn_opt(M, F, A, [{monitor, [{tag, {ended, Ref}}]}]),
            Timers#{Ref := {interval, make_ref(), At, Time, Action}};
        #{Ref := {interval, Timer, At, Time, Action}} ->
            case Action of
                {send, Dest, Message} -> catch Dest ! Message;
                {apply, {M, F, A}} -> spawn_action(M, F, A)
            end,
            Next = At + Time,
            NTimer = erlang:start_timer(Next, self(), {run, Ref}, [{abs, true}]),
            Timers#{Ref := {interval, NTimer, Next, Time, Action}};
        #{} -> Timers
    end.

%% The call of an interval has ended: the next one is at its time, or now if that is over.
repeat(Ref, Timers) ->
    case Timers of
        #{Ref := {interval, _, At, Time, Action}} ->
            Timers#{Ref := {interval, erlang:start_timer(At + Time, self(), {run, Ref}, [{abs, true}]), At + Time, Time, Action}};
        #{} -> Timers
    end.

%% What cannot take long is done here.
spawn_action(erlang, send, [Dest, Message]) -> catch Dest ! Message;
spawn_action(erlang, exit, [Target, Reason]) -> catch exit(if is_atom(Target) -> whereis(Target); true -> Target end, Reason);
spawn_action(M, F, A) -> catch spawn(M, F, A).

forget(Ref, Timers) ->
    case Timers of
        #{Ref := {once, Timer, _}} ->
            erlang:cancel_timer(Timer),
            maps:remove(Ref, Timers);
        #{Ref := {interval, Timer, _, _, _}} ->
            erlang:cancel_timer(Timer),
            erlang:demonitor(Ref, [flush]),
            maps:remove(Ref, Timers);
        #{} -> Timers
    end.
