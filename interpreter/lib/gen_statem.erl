%% The module `gen_statem`. The functions around a callback have the names and arities that show in stack traces of Erlang/OTP 25.
-module(gen_statem).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4, stop/1, stop/3, cast/2, call/2, call/3,
         send_request/2, send_request/4, wait_response/1, wait_response/2, wait_response/3, receive_response/1, receive_response/2,
         receive_response/3, check_response/2, check_response/3, reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1, enter_loop/4,
         enter_loop/5, enter_loop/6, reply/1, reply/2, init_it/6, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2, format_log/1, format_log/2, wakeup_from_hibernate/3]).

-callback init(Args :: term()) -> term().
-callback callback_mode() -> atom() | [atom()].
-if(?OTP_RELEASE >= 26).
-callback 'StateName'(enter | term(), term(), term()) -> term().
-else.
-callback state_name(enter | term(), term(), term()) -> term().
-endif.
-callback handle_event(enter | term(), term(), term(), term()) -> term().
-callback terminate(Reason :: term(), State :: term(), Data :: term()) -> term().
-callback code_change(term(), term(), term(), term()) -> term().
-callback format_status(term(), term()) -> term().
-callback format_status(term()) -> term().
-if(?OTP_RELEASE >= 26).
-optional_callbacks([format_status/1, format_status/2, terminate/3, code_change/4, 'StateName'/3, handle_event/4]).
-else.
-optional_callbacks([format_status/1, format_status/2, terminate/3, code_change/4, state_name/3, handle_event/4]).
-endif.

%% How a start fails: from 26 on, its starter learns it from the end of the process, or is told by `init_fail`.
-if(?OTP_RELEASE >= 26).
-define(TOLD(_), ok).
-define(ERROR_OF_INIT(Failed), {error, _} = Failed).
-define(IGNORED(Starter), proc_lib:init_fail(Starter, ignore, {exit, normal})).
-define(FAILED(Starter, Class, Reason, Stacktrace, Report),
        begin Report, proc_lib:init_fail(Starter, {error, Reason}, {Class, Reason, Stacktrace}) end).
-else.
-define(TOLD(Message), Message).
-define(ERROR_OF_INIT(Failed), {} = Failed).
-define(IGNORED(Starter), begin proc_lib:init_ack(Starter, ignore), exit(normal) end).
-define(FAILED(Starter, Class, Reason, Stacktrace, Report),
        begin proc_lib:init_ack(Starter, {error, Reason}), Report, erlang:raise(Class, Reason, Stacktrace) end).
-endif.

-if(?OTP_RELEASE >= 27).
-define(WITH_LABEL(Report), (Report)#{process_label => proc_lib:get_label(self())}).
-define(LABEL(Report, Before, After), gen:'$label'(Report, Before, After)).
-else.
-define(WITH_LABEL(Report), Report).
-define(LABEL(Report, Before, After), []).
-endif.

-define(STACKTRACE(), element(2, erlang:process_info(self(), current_stacktrace))).

%% What does not change, or seldom.
-record(p, {parent, name, modules, mode = state_functions, enter = false, hibernate_after = infinity}).
%% The machine: postponed events (the last one first), running timers (time-out type => {Timer, Content}).
-record(s, {state, data, postponed = [], timers = #{}, zero = [], hibernate = false}).
%% What the actions of one transition asked for; the lists have the last one first.
-record(t, {next_state, new_data, next_events = [], timeouts = [], postpone = false, hibernate = false}).

start(Mod, Args, Opts) -> gen:start(?MODULE, nolink, Mod, Args, Opts).
start(Name, Mod, Args, Opts) -> gen:start(?MODULE, nolink, Name, Mod, Args, Opts).
start_link(Mod, Args, Opts) -> gen:start(?MODULE, link, Mod, Args, Opts).
start_link(Name, Mod, Args, Opts) -> gen:start(?MODULE, link, Name, Mod, Args, Opts).
start_monitor(Mod, Args, Opts) -> gen:start(?MODULE, monitor, Mod, Args, Opts).
start_monitor(Name, Mod, Args, Opts) -> gen:start(?MODULE, monitor, Name, Mod, Args, Opts).
stop(Server) -> gen:stop(Server).
stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

cast({global, Name}, Msg) ->
    catch global:send(Name, {'$gen_cast', Msg}),
    ok;
cast({via, Mod, Name}, Msg) ->
    catch Mod:send(Name, {'$gen_cast', Msg}),
    ok;
cast(Server, Msg) ->
    try
        erlang:send(Server, {'$gen_cast', Msg}),
        ok
    catch error:_ -> ok
    end.

call(Server, Request) -> call(Server, Request, infinity).

-if(?OTP_RELEASE >= 26).
-define(CALL(Server, Request, Timeout, T),
        try gen:call(Server, '$gen_call', Request, T) of
            {ok, Reply} -> Reply
        catch
            exit:Reason:Stacktrace -> erlang:raise(exit, {Reason, {?MODULE, call, [Server, Request, Timeout]}}, Stacktrace)
        end).

call(Server, Request, infinity) -> ?CALL(Server, Request, infinity, infinity);
call(Server, Request, {dirty_timeout, T} = Timeout) -> ?CALL(Server, Request, Timeout, T);
call(Server, Request, {clean_timeout, T} = Timeout) -> ?CALL(Server, Request, Timeout, T);
call(Server, Request, {_, _} = Timeout) -> erlang:error(badarg, [Server, Request, Timeout]);
call(Server, Request, Timeout) -> ?CALL(Server, Request, Timeout, Timeout).
-else.
call(Server, Request, infinity) -> call_dirty(Server, Request, infinity, infinity);
call(Server, Request, {dirty_timeout, T} = Timeout) -> call_dirty(Server, Request, Timeout, T);
call(Server, Request, {clean_timeout, T} = Timeout) -> call_clean(Server, Request, Timeout, T);
call(Server, Request, {_, _} = Timeout) -> erlang:error(badarg, [Server, Request, Timeout]);
call(Server, Request, Timeout) -> call_clean(Server, Request, Timeout, Timeout).

%% A late reply can do no harm, as the call uses an alias; so there is no process in between.
call_clean(Server, Request, Timeout, T) -> call_dirty(Server, Request, Timeout, T).

call_dirty(Server, Request, Timeout, T) ->
    try gen:call(Server, '$gen_call', Request, T) of
        {ok, Reply} -> Reply
    catch
        Class:Reason:Stacktrace -> erlang:raise(Class, {Reason, {?MODULE, call, [Server, Request, Timeout]}}, Stacktrace)
    end.
-endif.

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).
send_request(Server, Request, Label, Requests) -> gen:send_request(Server, '$gen_call', Request, Label, Requests).
wait_response(ReqId) -> gen:wait_response(ReqId, infinity).
wait_response(ReqId, Timeout) -> gen:wait_response(ReqId, Timeout).
wait_response(Requests, Timeout, Delete) -> gen:wait_response(Requests, Timeout, Delete).
receive_response(ReqId) -> gen:receive_response(ReqId, infinity).
receive_response(ReqId, Timeout) -> gen:receive_response(ReqId, Timeout).
receive_response(Requests, Timeout, Delete) -> gen:receive_response(Requests, Timeout, Delete).
check_response(Msg, ReqId) -> gen:check_response(Msg, ReqId).
check_response(Msg, Requests, Delete) -> gen:check_response(Msg, Requests, Delete).
reqids_new() -> gen:reqids_new().
reqids_size(Requests) -> gen:reqids_size(Requests).
reqids_add(ReqId, Label, Requests) -> gen:reqids_add(ReqId, Label, Requests).
reqids_to_list(Requests) -> gen:reqids_to_list(Requests).

reply({reply, From, Reply}) -> reply(From, Reply);
reply(Replies) when is_list(Replies) ->
    lists:foreach(fun({reply, From, Reply}) -> reply(From, Reply) end, Replies),
    ok.

reply(From, Reply) -> gen:reply(From, Reply).

%% ---- entering -------------------------------------------------------------------------------------------------------

enter_loop(Mod, Opts, State, Data) -> enter_loop(Mod, Opts, State, Data, self()).

enter_loop(Mod, Opts, State, Data, {Scope, _} = Server) when Scope =:= local; Scope =:= global -> enter_loop(Mod, Opts, State, Data, Server, []);
enter_loop(Mod, Opts, State, Data, {via, _, _} = Server) -> enter_loop(Mod, Opts, State, Data, Server, []);
enter_loop(Mod, Opts, State, Data, Server) when is_pid(Server) -> enter_loop(Mod, Opts, State, Data, Server, []);
enter_loop(Mod, Opts, State, Data, Actions) -> enter_loop(Mod, Opts, State, Data, self(), Actions).

enter_loop(Mod, Opts, State, Data, Server, Actions) when is_atom(Mod), is_list(Opts) ->
    Name = gen:get_proc_name(Server),
    P = #p{parent = gen:get_parent(), name = Name, modules = [Mod], hibernate_after = gen:hibernate_after(Opts)},
    enter(P, gen:debug_options(Name, Opts), State, Data, Actions, [], [], []).

init_it(Starter, self, Server, Mod, Args, Opts) -> init_it(Starter, self(), Server, Mod, Args, Opts);
init_it(Starter, Parent, Server, Mod, Args, Opts) ->
    Name = gen:name(Server),
    Debug = gen:debug_options(Name, Opts),
    P = #p{parent = Parent, name = Name, modules = [Mod], hibernate_after = gen:hibernate_after(Opts)},
    try Mod:init(Args) of
        Result -> init_result(Starter, P, Server, Result, Debug, [], [], [])
    catch
        Result -> init_result(Starter, P, Server, Result, Debug, [], [], []);
        Class:Reason:Stacktrace ->
            gen:unregister_name(Server),
            ?FAILED(Starter, Class, Reason, Stacktrace, error_info(Class, Reason, Stacktrace, P, Debug, #s{}, []))
    end.

init_result(Starter, P, Server, Result, Debug, _, _, _) ->
    case Result of
        {ok, State, Data} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            enter(P, Debug, State, Data, [], [], [], []);
        {ok, State, Data, Actions} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            enter(P, Debug, State, Data, Actions, [], [], []);
        {stop, Reason} ->
            gen:unregister_name(Server),
            ?TOLD(proc_lib:init_ack(Starter, {error, Reason})),
            exit(Reason);
        ?ERROR_OF_INIT(Failed) ->
            gen:unregister_name(Server),
            proc_lib:init_fail(Starter, Failed, {exit, normal});
        ignore ->
            gen:unregister_name(Server),
            ?IGNORED(Starter);
        _ ->
            gen:unregister_name(Server),
            Error = {bad_return_from_init, Result},
            ?TOLD(proc_lib:init_ack(Starter, {error, Error})),
            error_info(error, Error, ?STACKTRACE(), P, Debug, #s{}, []),
            exit(Error)
    end.

enter(P0, Debug, State, Data, Actions, _, _, _) ->
    S = #s{state = State, data = Data},
    case callback_mode(P0) of
        #p{} = P ->
            Debug1 = debug(P, Debug, {enter, hd(P#p.modules), State}),
            %% As if an event had led here; there is no old state but the new one.
            T = #t{next_state = State, new_data = Data},
            case P#p.enter of
                true -> loop_state_callback(P, Debug1, S, State, Data, enter, State, [], start, {T, as_list(Actions)}, enter);
                false -> loop_actions(P, Debug1, S, [], start, T, as_list(Actions), start)
            end;
        {Class, Reason, Stacktrace} -> terminate(Class, Reason, Stacktrace, P0, Debug, S, queue(start, []))
    end.

callback_mode(#p{modules = [Mod | _]} = P) ->
    try Mod:callback_mode() of
        Result -> callback_mode_result(P, as_list(Result), Result, [], [], [])
    catch
        Result -> callback_mode_result(P, as_list(Result), Result, [], [], []);
        Class:Reason:Stacktrace -> {Class, Reason, Stacktrace}
    end.

callback_mode_result(P, Modes, Result, _, _, _) ->
    case {[M || M <- Modes, M =:= state_functions orelse M =:= handle_event_function], Modes -- [state_functions, handle_event_function, state_enter]} of
        {[Mode], []} -> P#p{mode = Mode, enter = lists:member(state_enter, Modes)};
        _ -> {error, {bad_return_from_callback_mode, Result}, ?STACKTRACE()}
    end.

as_list(L) when is_list(L) -> L;
as_list(X) -> [X].

%% ---- the loop -------------------------------------------------------------------------------------------------------

-if(?OTP_RELEASE >= 28).
loop(P, Debug, #s{hibernate = true} = S) -> loop_hibernate(P, Debug, S);
loop(P, Debug, S) -> loop_receive(P, Debug, S).

loop_hibernate(P, Debug, S) ->
    erlang:hibernate(),
    loop_receive(P, Debug, S).
-else.
loop(P, Debug, #s{hibernate = true} = S) -> proc_lib:hibernate(?MODULE, wakeup_from_hibernate, [P, Debug, S]);
loop(P, Debug, S) -> loop_receive(P, Debug, S).
-endif.

wakeup_from_hibernate(P, Debug, S) -> loop_receive(P, Debug, S).

loop_receive(#p{hibernate_after = HibernateAfter, parent = Parent} = P, Debug, S) ->
    receive
        {'$gen_call', From, Msg} -> loop_event(P, Debug, S, {{call, From}, Msg});
        {'$gen_cast', Msg} -> loop_event(P, Debug, S, {cast, Msg});
        {timeout, Timer, Type} = Info ->
            case S#s.timers of
                #{Type := {Timer, Content}} = Timers -> loop_event(P, Debug, S#s{timers = maps:remove(Type, Timers)}, {Type, Content});
                #{} -> loop_event(P, Debug, S, {info, Info})
            end;
        {system, Pid, Req} -> sys:handle_system_msg(Req, Pid, Parent, ?MODULE, Debug, {P, S}, S#s.hibernate);
        {'EXIT', Parent, Reason} = Exit -> terminate(exit, Reason, ?STACKTRACE(), P, Debug, S, [{info, Exit}]);
        Info -> loop_event(P, Debug, S, {info, Info})
    after HibernateAfter -> loop(P, Debug, S#s{hibernate = true})
    end.

loop_event(P, Debug, S, Event) ->
    Debug1 = debug(P, Debug, {in, Event, S#s.state}),
    next_event(P, Debug1, S#s{hibernate = false}, [Event]).

%% Handles the first of the queued events.
next_event(P, Debug, #s{zero = [Type | Zero], timers = Timers} = S, []) ->
    {{_, Content}, Others} = maps:take(Type, Timers),
    Event = {Type, Content},
    next_event(P, debug(P, Debug, {in, Event, S#s.state}), S#s{hibernate = false, zero = Zero, timers = Others}, [Event]);
next_event(P, Debug, S, []) -> loop(P, Debug, S);
next_event(P, Debug, #s{state = State, data = Data} = S, [{Type, Content} | Events]) ->
    T = #t{next_state = State, new_data = Data},
    loop_state_callback(P, Debug, S, State, Data, Type, Content, Events, {Type, Content}, {T, []}, event).

loop_state_callback(P, Debug, S, State, Data, Type, Content, Events, Event, Next, Kind) ->
    try
        case P of
            #p{mode = state_functions, modules = [Mod | _]} -> Mod:State(Type, Content, Data);
            #p{mode = handle_event_function, modules = [Mod | _]} -> Mod:handle_event(Type, Content, State, Data)
        end
    of
        Result -> loop_state_callback_result(P, Debug, S, State, Data, Events, Event, Next, Kind, Result, Type)
    catch
        Result -> loop_state_callback_result(P, Debug, S, State, Data, Events, Event, Next, Kind, Result, Type);
        %% A call on entering a state that fails leaves the state before.
        Class:Reason:Stacktrace -> terminate(Class, Reason, Stacktrace, P, Debug, S, queue(Event, Events))
    end.

queue(start, Events) -> queue({internal, init_state}, Events);
queue(Event, Events) -> [Event | Events].

%% Next is {T, Actions}: what was gathered so far (by the event, when this is the call on entering a state), and actions still to do.
loop_state_callback_result(P, Debug, S, State, Data, Events, Event, {T, More}, Kind, Result, _) ->
    Go = fun(NextState, NewData, Actions, Repeat) ->
        T1 = T#t{next_state = NextState, new_data = NewData},
        case Kind of
            event -> loop_actions(P, Debug, S, Events, Event, T1, as_list(Actions), {event, Repeat});
            %% The actions of the call on entering come before those of `init`.
            enter -> loop_actions(P, Debug, S, Events, Event, T1, as_list(Actions) ++ More, {enter, Repeat})
        end
    end,
    case Result of
        {next_state, State, NewData} -> Go(State, NewData, [], false);
        {next_state, NextState, NewData} when Kind =:= event -> Go(NextState, NewData, [], false);
        {next_state, State, NewData, Actions} -> Go(State, NewData, Actions, false);
        {next_state, NextState, NewData, Actions} when Kind =:= event -> Go(NextState, NewData, Actions, false);
        {keep_state, NewData} -> Go(State, NewData, [], false);
        {keep_state, NewData, Actions} -> Go(State, NewData, Actions, false);
        keep_state_and_data -> Go(State, Data, [], false);
        {keep_state_and_data, Actions} -> Go(State, Data, Actions, false);
        {repeat_state, NewData} -> Go(State, NewData, [], true);
        {repeat_state, NewData, Actions} -> Go(State, NewData, Actions, true);
        repeat_state_and_data -> Go(State, Data, [], true);
        {repeat_state_and_data, Actions} -> Go(State, Data, Actions, true);
        stop -> terminate(exit, normal, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data}, queue(Event, Events));
        {stop, Reason} -> terminate(exit, Reason, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data}, queue(Event, Events));
        {stop, Reason, NewData} -> terminate(exit, Reason, ?STACKTRACE(), P, Debug, S#s{state = State, data = NewData}, queue(Event, Events));
        {stop_and_reply, Reason, Replies} -> reply_then_terminate(P, Debug, S#s{state = State, data = Data}, queue(Event, Events), Reason, as_list(Replies));
        {stop_and_reply, Reason, Replies, NewData} ->
            reply_then_terminate(P, Debug, S#s{state = State, data = NewData}, queue(Event, Events), Reason, as_list(Replies));
        _ ->
            terminate(error, {bad_return_from_state_function, Result}, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data}, queue(Event, Events))
    end.

reply_then_terminate(P, Debug, S, Q, Reason, Replies) ->
    Stacktrace = ?STACKTRACE(),
    case send_replies(P, Debug, Replies) of
        {ok, Debug1} -> terminate(exit, Reason, Stacktrace, P, Debug1, S, Q);
        {bad, R} -> terminate(error, {bad_reply_action_from_state_function, R}, ?STACKTRACE(), P, Debug, S, Q)
    end.

send_replies(P, Debug, [{reply, From, Reply} | Rest]) ->
    reply(From, Reply),
    send_replies(P, debug(P, Debug, {out, Reply, From}), Rest);
send_replies(_, Debug, []) -> {ok, Debug};
send_replies(_, _, [R | _]) -> {bad, R}.

%% Unused arguments keep the arity that stack traces show.

%% ---- actions --------------------------------------------------------------------------------------------------------

-define(is_time(T), (T =:= infinity orelse (is_integer(T) andalso T >= 0))).

loop_actions(P, Debug, S, Events, Event, T, [Action | Actions], Kind) ->
    Go = fun(T1) -> loop_actions(P, Debug, S, Events, Event, T1, Actions, Kind) end,
    Timeout = fun(Type, Time, Content, Opts) -> Go(T#t{timeouts = [{Type, Time, Content, Opts} | T#t.timeouts]}) end,
    IsEnter = case Kind of {enter, _} -> Event =/= start; _ -> false end,
    case Action of
        {reply, From, Reply} ->
            reply(From, Reply),
            loop_actions(P, debug(P, Debug, {out, Reply, From}), S, Events, Event, T, Actions, Kind);
        postpone when not IsEnter -> Go(T#t{postpone = true});
        postpone -> bad_on_entering(P, Debug, S, Events, Event, T, Action);
        {postpone, Postpone} when is_boolean(Postpone), not IsEnter orelse not Postpone -> Go(T#t{postpone = Postpone});
        {next_event, Type, Content} when not IsEnter ->
            case is_event_type(Type) of
                true ->
                    Debug1 = debug(P, Debug, {in, {Type, Content}, T#t.next_state}),
                    loop_actions(P, Debug1, S, Events, Event, T#t{next_events = [{Type, Content} | T#t.next_events]}, Actions, Kind);
                false -> loop_actions_next_event_bad(P, Debug, S, Events, Event, T, Action, [], [])
            end;
        {next_event, _, _} -> bad_on_entering(P, Debug, S, Events, Event, T, Action);
        hibernate -> Go(T#t{hibernate = true});
        {hibernate, Hibernate} when is_boolean(Hibernate) -> Go(T#t{hibernate = Hibernate});
        {state_timeout, cancel} -> Timeout(state_timeout, cancel, undefined, []);
        {state_timeout, update, Content} -> Timeout(state_timeout, update, Content, []);
        {state_timeout, Time, Content} -> Timeout(state_timeout, Time, Content, []);
        {state_timeout, Time, Content, Opts} -> Timeout(state_timeout, Time, Content, as_list(Opts));
        {{timeout, _} = Type, cancel} -> Timeout(Type, cancel, undefined, []);
        {{timeout, _} = Type, update, Content} -> Timeout(Type, update, Content, []);
        {{timeout, _} = Type, Time, Content} -> Timeout(Type, Time, Content, []);
        {{timeout, _} = Type, Time, Content, Opts} -> Timeout(Type, Time, Content, as_list(Opts));
        {timeout, cancel} -> Timeout(timeout, cancel, undefined, []);
        {timeout, update, Content} -> Timeout(timeout, update, Content, []);
        {timeout, Time, Content} -> Timeout(timeout, Time, Content, []);
        {timeout, Time, Content, Opts} -> Timeout(timeout, Time, Content, as_list(Opts));
        Time when ?is_time(Time) -> Timeout(timeout, Time, Time, []);
        {Change, Mod} when IsEnter, is_atom(Mod), Change =:= change_callback_module orelse Change =:= push_callback_module ->
            bad_on_entering(P, Debug, S, Events, Event, T, Action);
        pop_callback_module when IsEnter, tl(P#p.modules) =/= [] -> bad_on_entering(P, Debug, S, Events, Event, T, Action);
        {Change, Mod} when Change =:= change_callback_module, is_atom(Mod); Change =:= push_callback_module, is_atom(Mod) ->
            [_ | Rest] = Mods = P#p.modules,
            change_module(P, case Change of change_callback_module -> [Mod | Rest]; _ -> [Mod | Mods] end, Debug, S, Events, Event, T, Actions, Kind);
        pop_callback_module when tl(P#p.modules) =/= [] -> change_module(P, tl(P#p.modules), Debug, S, Events, Event, T, Actions, Kind);
        _ -> loop_actions_list(P, Debug, S, Events, Event, T, Action, [], [], [], [], [], [])
    end;
loop_actions(P, Debug, S, Events, Event, T, [], Kind) -> transition(P, Debug, S, Events, Event, T, Kind).

change_module(P, Mods, Debug, S, Events, Event, T, Actions, Kind) ->
    case callback_mode(P#p{modules = Mods}) of
        #p{} = P1 -> loop_actions(P1, debug(P1, Debug, {module, hd(Mods), T#t.next_state}), S, Events, Event, T, Actions, Kind);
        {Class, Reason, Stacktrace} -> terminate(Class, Reason, Stacktrace, P, Debug, S, queue(Event, Events))
    end.

loop_actions_list(P, Debug, S, Events, Event, #t{next_state = State, new_data = Data}, Action, _, _, _, _, _, _) ->
    terminate(error, {bad_action_from_state_function, Action}, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data}, queue(Event, Events)).

loop_actions_next_event_bad(P, Debug, S, Events, Event, #t{next_state = State, new_data = Data}, Action, _, _) ->
    terminate(error, {bad_action_from_state_function, Action}, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data}, queue(Event, Events)).

%% What the call on entering a state must not ask for.
bad_on_entering(P, Debug, S, Events, Event, #t{next_state = State, new_data = Data}, Action) ->
    terminate(error, {bad_state_enter_action_from_state_function, Action}, ?STACKTRACE(), P, Debug, S#s{state = State, data = Data},
              queue(Event, Events)).

is_event_type({call, {_, _}}) -> true;
is_event_type({timeout, _}) -> true;
is_event_type(Type) -> lists:member(Type, [cast, info, internal, timeout, state_timeout]).

%% ---- transitions ----------------------------------------------------------------------------------------------------

%% Entering a state calls the callback first; its actions are added.
transition(#p{enter = true} = P, Debug, #s{state = State} = S, Events, Event, #t{next_state = Next, new_data = Data} = T, {event, Repeat})
  when Next =/= State; Repeat ->
    loop_state_callback(P, Debug, S, Next, Data, enter, State, Events, Event, {T, []}, enter);
transition(#p{enter = true} = P, Debug, S, Events, Event, #t{next_state = Next, new_data = Data} = T, {enter, true}) ->
    loop_state_callback(P, Debug, S, Next, Data, enter, Next, Events, Event, {T, []}, enter);
transition(P, Debug, #s{state = State, postponed = Postponed0} = S, Events, Event, #t{next_state = Next} = T, _) ->
    Started = Event =:= start,
    Postponed = if T#t.postpone, not Started -> [Event | Postponed0]; true -> Postponed0 end,
    Debug1 =
        if
            Started -> debug(P, Debug, {consume, {internal, init_state}, State, Next});
            T#t.postpone -> debug(P, Debug, {postpone, Event, State, Next});
            true -> debug(P, Debug, {consume, Event, State, Next})
        end,
    Changed = Next =/= State,
    {Retried, Kept} = if Changed -> {lists:reverse(Postponed), []}; true -> {[], Postponed} end,
    Running0 = stop_timer(timeout, {S#s.timers, S#s.zero}),
    Running1 = if Changed -> stop_timer(state_timeout, Running0); true -> Running0 end,
    Queue = lists:reverse(T#t.next_events, Retried ++ Events),
    case start_timers(T#t.timeouts, Running1, #{}, []) of
        {ok, {Timers, Zero}} ->
            Debug2 = timers_started(P, Debug1, T#t.timeouts, Next, #{}),
            S1 = S#s{state = Next, data = T#t.new_data, postponed = Kept, timers = Timers, zero = Zero, hibernate = T#t.hibernate},
            next_event(P, Debug2, S1, Queue);
        {bad, Action} -> loop_actions_list(P, Debug1, S, Events, Event, T, Action, [], [], [], [], [], [])
    end.

%% The last time-out of each type counts; the list has it first. Time-outs of no time become events in the order in which they were
%% started, when nothing else is queued; until then they run like others, with the timer 0. Running: the timers, and the types of these.
start_timers([{Type, Time, Content, Opts} | Rest], Running, Seen, Zero) ->
    Abs = lists:member({abs, true}, Opts),
    {Timers, _} = Running,
    Start = fun(Timer) ->
        {Others, Before} = stop_timer(Type, Running),
        {Others#{Type => {Timer, Content}}, Before}
    end,
    if
        is_map_key(Type, Seen) -> start_timers(Rest, Running, Seen, Zero);
        Time =:= cancel; Time =:= infinity -> start_timers(Rest, stop_timer(Type, Running), Seen#{Type => true}, Zero);
        Time =:= update, is_map_key(Type, Timers) ->
            #{Type := {Timer, _}} = Timers,
            start_timers(Rest, setelement(1, Running, Timers#{Type := {Timer, Content}}), Seen#{Type => true}, Zero);
        Time =:= update; Time =:= 0, not Abs -> start_timers(Rest, Start(0), Seen#{Type => true}, [Type | Zero]);
        is_integer(Time), Time >= 0 orelse Abs ->
            start_timers(Rest, Start(erlang:start_timer(Time, self(), Type, [{abs, Abs}])), Seen#{Type => true}, Zero);
        true -> {bad, {Type, Time, Content}}
    end;
start_timers([], {Timers, Before}, _, Zero) -> {ok, {Timers, Before ++ Zero}}.

%% Tells whoever debugs of the timers that were started.
timers_started(_, [], _, _, _) -> [];
timers_started(P, Debug, [{Type, Time, _, _} = Timer | Rest], State, Seen) ->
    case is_map_key(Type, Seen) orelse not is_integer(Time) of
        true -> timers_started(P, Debug, Rest, State, Seen#{Type => true});
        false -> timers_started(P, debug(P, Debug, {start_timer, Timer, State}), Rest, State, Seen#{Type => true})
    end;
timers_started(_, Debug, [], _, _) -> Debug.

stop_timer(Type, {Timers, Zero} = Running) ->
    case Timers of
        #{Type := {0, _}} -> {maps:remove(Type, Timers), lists:delete(Type, Zero)};
        #{Type := {Timer, _}} ->
            case erlang:cancel_timer(Timer) of
                false -> receive {timeout, Timer, _} -> ok after 0 -> ok end;
                _ -> ok
            end,
            {maps:remove(Type, Timers), Zero};
        #{} -> Running
    end.

%% ---- the end --------------------------------------------------------------------------------------------------------

terminate(Class, Reason, Stacktrace, #p{modules = [Mod | _]} = P, Debug, #s{state = State, data = Data} = S, Q) ->
    case erlang:function_exported(Mod, terminate, 3) of
        true ->
            try Mod:terminate(Reason, State, Data)
            catch
                _ -> ok;
                C:R:ST ->
                    error_info(C, R, ST, P, Debug, S, Q),
                    erlang:raise(C, R, ST)
            end;
        false -> ok
    end,
    Quiet = Reason =:= normal orelse Reason =:= shutdown orelse is_tuple(Reason) andalso tuple_size(Reason) =:= 2 andalso element(1, Reason) =:= shutdown,
    case Quiet of
        true -> _ = debug(P, Debug, {terminate, Reason, State});
        false -> error_info(Class, Reason, Stacktrace, P, Debug, S, Q)
    end,
    case Stacktrace of
        [] -> erlang:Class(Reason);
        _ -> erlang:raise(Class, Reason, Stacktrace)
    end.

error_info(Class, Reason, Stacktrace, #p{name = Name, modules = [Mod | _] = Modules} = P, Debug, #s{state = State, data = Data, postponed = Postponed} = S, Q) ->
    {_, Timeouts} = list_timeouts(S#s.timers),
    Status = #{state => State, data => Data, reason => Reason, queue => Q, postponed => Postponed, log => sys:get_log(Debug), timeouts => Timeouts},
    Shown = gen:format_status(Mod, terminate, Status, [get(), State, Data]),
    StateData =
        case Shown of
            #{'$status' := Old} -> Old;
            #{state := St, data := D} -> {St, D}
        end,
    logger:log(error,
               ?WITH_LABEL(#{label => {gen_statem, terminate}, name => Name, queue => maps:get(queue, Shown), postponed => maps:get(postponed, Shown),
                 modules => Modules, callback_mode => P#p.mode, state_enter => P#p.enter, state => StateData,
                 timeouts => {map_size(S#s.timers), maps:get(timeouts, Shown)},
                 log => maps:get(log, Shown), reason => {Class, maps:get(reason, Shown), Stacktrace}, client_info => client(Q)}),
               #{domain => [otp], report_cb => fun gen_statem:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_statem:format_log/1}}).

client([{{call, {Pid, _}}, _} | _]) when is_pid(Pid) ->
    case process_info(Pid, [current_stacktrace, registered_name]) of
        undefined -> {Pid, dead};
        [{current_stacktrace, Stacktrace}, {registered_name, []}] -> {Pid, {Pid, Stacktrace}};
        [{current_stacktrace, Stacktrace}, {registered_name, Name}] -> {Pid, {Name, Stacktrace}}
    end;
client(_) -> undefined.

format_log(Report) -> gen:'$format_log'(Report, fun report/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun report/2).

report(#{label := {gen_statem, terminate}, name := Name, queue := Q, state := StateData, log := Log, reason := {Class, Reason0, Stack0},
         client_info := Client} = Report, true) ->
    {Reason, Stack} = fix_reason(Class, Reason0, Stack0),
    ["State machine ", {p, Name}, " terminating"] ++ ?LABEL(Report, ". Label: ", "") ++ [". Reason: ", {l, Reason}]
        ++ case Stack of [] -> []; _ -> [". Stack: ", {l, Stack}] end
        ++ case Q of [] -> []; [Event | _] -> [". Last event: ", {l, Event}] end
        ++ [". State: ", {l, StateData}]
        ++ case Log of [] -> []; _ -> [". Log: ", {l, Log}] end
        ++ ["."] ++ gen:'$client'(Client, true);
report(#{label := {gen_statem, terminate}, name := Name, queue := Q, postponed := Postponed, modules := Modules, callback_mode := Mode,
         state_enter := Enter, state := StateData, timeouts := Timeouts, log := Log, reason := {Class, Reason0, Stack0},
         client_info := Client} = Report, false) ->
    {Reason, Stack} = fix_reason(Class, Reason0, Stack0),
    ["** State machine ", {p, Name}, " terminating~n"] ++ ?LABEL(Report, "** Process label = ", "~n")
        ++ case Q of [] -> []; [Event | _] -> ["** Last event = ", {l, Event}, "~n"] end
        ++ ["** When server state  = ", {l, StateData}, "~n** Reason for termination = ", {p, Class}, ":", {l, Reason},
            "~n** Callback modules = ", {l, Modules}, "~n** Callback mode = ", {p, if Enter -> [Mode, state_enter]; true -> Mode end}, "~n"]
        ++ case Q of [_ | [_ | _] = Events] -> ["** Queued = ", {l, Events}, "~n"]; _ -> [] end
        ++ case Postponed of [] -> []; _ -> ["** Postponed = ", {l, Postponed}, "~n"] end
        ++ case Stack of [] -> []; _ -> ["** Stacktrace =~n**  ", {l, Stack}, "~n"] end
        ++ case Timeouts of {0, _} -> []; _ -> ["** Time-outs: ", {l, Timeouts}, "~n"] end
        ++ case Log of [] -> []; _ -> ["** Log =~n**  ", {m, Log}, "~n"] end
        ++ gen:'$client'(Client, false).

fix_reason(error, undef, [{M, F, A, _} | Rest] = Stack) ->
    Arity = if is_list(A) -> length(A); true -> A end,
    case code:is_loaded(M) of
        false -> {{'module could not be loaded', M}, Rest};
        _ ->
            case erlang:function_exported(M, F, Arity) of
                true -> {undef, Stack};
                false -> {{'function not exported', {M, F, Arity}}, Rest}
            end
    end;
fix_reason(_, Reason, Stack) -> {Reason, Stack}.

list_timeouts(Timers) -> {map_size(Timers), [{Type, Content} || {Type, {_, Content}} <- maps:to_list(Timers)]}.

%% ---- for the module sys ---------------------------------------------------------------------------------------------

system_continue(Parent, Debug, {P, S}) -> loop(P#p{parent = Parent}, Debug, S).

system_terminate(Reason, Parent, Debug, {P, S}) -> terminate(exit, Reason, ?STACKTRACE(), P#p{parent = Parent}, Debug, S, []).

system_code_change({#p{modules = [Mod | _]} = P, #s{state = State, data = Data} = S}, _, OldVsn, Extra) ->
    case try Mod:code_change(OldVsn, State, Data, Extra) catch Result -> Result end of
        {ok, NewState, NewData} ->
            case callback_mode(P) of
                #p{} = P1 -> {ok, {P1, S#s{state = NewState, data = NewData}}};
                {Class, Reason, Stacktrace} -> erlang:raise(Class, Reason, Stacktrace)
            end;
        {ok, _} = Error -> error({case_clause, Error});
        Error -> Error
    end.

system_get_state({_, #s{state = State, data = Data}}) -> {ok, {State, Data}}.

system_replace_state(StateFun, {P, #s{state = State, data = Data} = S}) ->
    {NewState, NewData} = Result = StateFun({State, Data}),
    {ok, Result, {P, S#s{state = NewState, data = NewData}}}.

format_status(Opt, [PDict, SysState, Parent, Debug, {#p{name = Name, modules = [Mod | _] = Modules}, #s{state = State, data = Data} = S}]) ->
    Status = #{state => State, data => Data, postponed => S#s.postponed, log => sys:get_log(Debug), timeouts => element(2, list_timeouts(S#s.timers))},
    Shown = gen:format_status(Mod, Opt, Status, [PDict, State, Data]),
    Specific =
        case Shown of
            #{'EXIT' := R} -> [{data, [{"State", {State, R}}]}];
            #{'$status' := L} when is_list(L) -> L;
            #{'$status' := T} -> [T];
            #{state := St, data := D} -> [{data, [{"State", {St, D}}]}]
        end,
    [{header, gen:format_status_header("Status for state machine", Name)},
     {data, [{"Status", SysState}, {"Parent", Parent}, {"Modules", Modules}, {"Time-outs", list_timeouts(S#s.timers)},
             {"Logged Events", maps:get(log, Shown)}, {"Postponed", maps:get(postponed, Shown)}]} | Specific].

debug(_, [], _) -> [];
debug(#p{name = Name}, Debug, Event) -> sys:handle_debug(Debug, fun print_event/3, Name, Event).

print_event(Dev, Event, Name) ->
    case Event of
        {in, E, State} -> io:format(Dev, "*DBG* ~tp receive ~ts in state ~tp~n", [Name, event_text(E), State]);
        {out, Reply, {To, _}} -> io:format(Dev, "*DBG* ~tp send ~tp to ~tw~n", [Name, Reply, To]);
        {enter, Module, State} -> io:format(Dev, "*DBG* ~tp enter ~tp in state ~tp~n", [Name, Module, State]);
        {module, Module, State} -> io:format(Dev, "*DBG* ~tp module ~tp in state ~tp~n", [Name, Module, State]);
        {start_timer, Timer, State} -> io:format(Dev, "*DBG* ~tp start_timer ~tp in state ~tp~n", [Name, Timer, State]);
        {terminate, Reason, State} -> io:format(Dev, "*DBG* ~tp terminate ~tp in state ~tp~n", [Name, Reason, State]);
        {Tag, E, State, State} -> io:format(Dev, "*DBG* ~tp ~tw ~ts in state ~tp~n", [Name, Tag, event_text(E), State]);
        {Tag, E, State, Next} -> io:format(Dev, "*DBG* ~tp ~tw ~ts in state ~tp => ~tp~n", [Name, Tag, event_text(E), State, Next])
    end.

event_text({{call, {Pid, _}}, Request}) -> io_lib:format("call ~tp from ~tw", [Request, Pid]);
event_text({Type, Content}) -> io_lib:format("~tw ~tp", [Type, Content]).
