%% The module `gen_server`. Names and arities of the inner functions show in stack traces and follow Erlang/OTP 25.
-module(gen_server).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4, stop/1, stop/3, call/2, call/3, send_request/2,
         send_request/4, wait_response/2, receive_response/2, check_response/2, wait_response/3, receive_response/3, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1, cast/2, reply/2, abcast/2, abcast/3, multi_call/2, multi_call/3,
         multi_call/4, enter_loop/3, enter_loop/4, enter_loop/5, wake_hib/6, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2, format_log/1, format_log/2, init_it/6]).

-callback init(Args :: term()) ->
    {ok, State :: term()} | {ok, State :: term(), timeout() | hibernate | {continue, term()}} | {stop, Reason :: term()} | ignore.
-callback handle_call(Request :: term(), From :: {pid(), Tag :: term()}, State :: term()) -> term().
-callback handle_cast(Request :: term(), State :: term()) -> term().
-callback handle_info(Info :: timeout | term(), State :: term()) -> term().
-callback handle_continue(Info :: term(), State :: term()) -> term().
-callback terminate(Reason :: term(), State :: term()) -> term().
-callback code_change(OldVsn :: term(), State :: term(), Extra :: term()) -> {ok, NewState :: term()} | {error, Reason :: term()}.
-callback format_status(Opt :: normal | terminate, StatusData :: [term()]) -> term().
-callback format_status(Status :: map()) -> map().
-optional_callbacks([handle_info/2, handle_continue/2, terminate/2, code_change/3, format_status/1, format_status/2]).

-define(STACKTRACE(), element(2, erlang:process_info(self(), current_stacktrace))).
-define(is_timeout(X), (X =:= infinity orelse (is_integer(X) andalso X >= 0))).

%% ---- for clients ----------------------------------------------------------------------------------------------------

start(Mod, Args, Options) -> gen:start(?MODULE, nolink, Mod, Args, Options).

start(Name, Mod, Args, Options) -> gen:start(?MODULE, nolink, Name, Mod, Args, Options).

start_link(Mod, Args, Options) -> gen:start(?MODULE, link, Mod, Args, Options).

start_link(Name, Mod, Args, Options) -> gen:start(?MODULE, link, Name, Mod, Args, Options).

start_monitor(Mod, Args, Options) -> gen:start(?MODULE, monitor, Mod, Args, Options).

start_monitor(Name, Mod, Args, Options) -> gen:start(?MODULE, monitor, Name, Mod, Args, Options).

stop(Server) -> gen:stop(Server).

stop(Server, Reason, Timeout) -> gen:stop(Server, Reason, Timeout).

call(Server, Request) ->
    try gen:call(Server, '$gen_call', Request) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {?MODULE, call, [Server, Request]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {?MODULE, call, [Server, Request]}})
    end.

call(Server, Request, Timeout) ->
    try gen:call(Server, '$gen_call', Request, Timeout) of
        {ok, Reply} -> Reply
    catch
        exit:Reason -> exit({Reason, {?MODULE, call, [Server, Request, Timeout]}});
        error:Reason:Stack -> exit({{Reason, Stack}, {?MODULE, call, [Server, Request, Timeout]}})
    end.

send_request(Server, Request) -> gen:send_request(Server, '$gen_call', Request).

send_request(Server, Request, Label, Requests) -> gen:send_request(Server, '$gen_call', Request, Label, Requests).

wait_response(ReqId, Timeout) -> gen:wait_response(ReqId, Timeout).

wait_response(Requests, Timeout, Delete) -> gen:wait_response(Requests, Timeout, Delete).

receive_response(ReqId, Timeout) -> gen:receive_response(ReqId, Timeout).

receive_response(Requests, Timeout, Delete) -> gen:receive_response(Requests, Timeout, Delete).

check_response(Msg, ReqId) -> gen:check_response(Msg, ReqId).

check_response(Msg, Requests, Delete) -> gen:check_response(Msg, Requests, Delete).

reqids_new() -> gen:reqids_new().

reqids_size(Requests) -> gen:reqids_size(Requests).

reqids_add(ReqId, Label, Requests) -> gen:reqids_add(ReqId, Label, Requests).

reqids_to_list(Requests) -> gen:reqids_to_list(Requests).

cast({global, Name}, Request) ->
    catch global:send(Name, {'$gen_cast', Request}),
    ok;
cast({via, Mod, Name}, Request) ->
    catch Mod:send(Name, {'$gen_cast', Request}),
    ok;
cast({Name, Node} = Dest, Request) when is_atom(Name), is_atom(Node) -> do_cast(Dest, Request);
cast(Dest, Request) when is_atom(Dest) -> do_cast(Dest, Request);
cast(Dest, Request) when is_pid(Dest) -> do_cast(Dest, Request).

do_cast(Dest, Request) ->
    try erlang:send(Dest, {'$gen_cast', Request})
    catch error:_ -> ok
    end,
    ok.

reply(Client, Reply) -> gen:reply(Client, Reply).

abcast(Name, Request) when is_atom(Name) -> abcast([node() | nodes()], Name, Request).

abcast(Nodes, Name, Request) when is_list(Nodes), is_atom(Name) ->
    lists:foreach(fun(Node) -> do_cast({Name, Node}, Request) end, Nodes),
    abcast.

multi_call(Name, Request) when is_atom(Name) -> multi_call([node() | nodes()], Name, Request, infinity).

multi_call(Nodes, Name, Request) when is_list(Nodes), is_atom(Name) -> multi_call(Nodes, Name, Request, infinity).

multi_call(Nodes, Name, Request, Timeout) when is_list(Nodes), is_atom(Name), ?is_timeout(Timeout) ->
    Deadline = if Timeout =:= infinity -> infinity; true -> {abs, erlang:monotonic_time(millisecond) + Timeout} end,
    Sent = [{Node, gen:send_request({Name, Node}, '$gen_call', Request)} || Node <- Nodes],
    Answers = [{Node, gen:receive_response(ReqId, Deadline)} || {Node, ReqId} <- Sent],
    {[{Node, Reply} || {Node, {reply, Reply}} <- Answers], [Node || {Node, A} <- Answers, A =:= timeout orelse element(1, A) =:= error]}.

%% ---- entering -------------------------------------------------------------------------------------------------------

enter_loop(Mod, Options, State) when is_atom(Mod), is_list(Options) -> enter_loop(Mod, Options, State, self(), infinity).

enter_loop(Mod, Options, State, {Scope, _} = Name) when is_atom(Mod), is_list(Options), Scope =:= local; Scope =:= global ->
    enter_loop(Mod, Options, State, Name, infinity);
enter_loop(Mod, Options, State, {via, _, _} = Name) when is_atom(Mod), is_list(Options) -> enter_loop(Mod, Options, State, Name, infinity);
enter_loop(Mod, Options, State, Action) when is_atom(Mod), is_list(Options) -> enter_loop(Mod, Options, State, self(), Action).

enter_loop(Mod, Options, State, ServerName, Action) when is_atom(Mod), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Parent = gen:get_parent(),
    loop(Parent, Name, State, Mod, Action, gen:hibernate_after(Options), gen:debug_options(Name, Options)).

init_it(Starter, self, Name, Mod, Args, Options) -> init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, Name0, Mod, Args, Options) ->
    Name = gen:name(Name0),
    Debug = gen:debug_options(Name, Options),
    HibernateAfter = gen:hibernate_after(Options),
    Fail = fun(Result) ->
        gen:unregister_name(Name0),
        proc_lib:init_ack(Starter, Result)
    end,
    case init_it(Mod, Args) of
        {ok, {ok, State}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, State, Mod, infinity, HibernateAfter, Debug);
        {ok, {ok, State, Action}} when ?is_timeout(Action); Action =:= hibernate; tuple_size(Action) =:= 2, element(1, Action) =:= continue ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, State, Mod, Action, HibernateAfter, Debug);
        {ok, {stop, Reason}} ->
            Fail({error, Reason}),
            exit(Reason);
        {ok, ignore} ->
            Fail(ignore),
            exit(normal);
        {ok, Else} ->
            Error = {bad_return_value, Else},
            Fail({error, Error}),
            exit(Error);
        {'EXIT', Class, Reason, Stacktrace} ->
            Fail({error, terminate_reason(Class, Reason, Stacktrace)}),
            erlang:raise(Class, Reason, Stacktrace)
    end.

init_it(Mod, Args) ->
    try {ok, Mod:init(Args)}
    catch
        throw:R -> {ok, R};
        Class:R:S -> {'EXIT', Class, R, S}
    end.

%% ---- the loop -------------------------------------------------------------------------------------------------------

loop(Parent, Name, State, Mod, {continue, Continue} = Msg, HibernateAfter, Debug) ->
    Reply = try_dispatch(Mod, handle_continue, Continue, State),
    case Debug of
        [] -> handle_common_reply(Reply, Parent, Name, undefined, Msg, Mod, HibernateAfter, State);
        _ ->
            Debug1 = sys:handle_debug(Debug, fun print_event/3, Name, Msg),
            handle_common_reply(Reply, Parent, Name, undefined, Msg, Mod, HibernateAfter, State, Debug1)
    end;
loop(Parent, Name, State, Mod, hibernate, HibernateAfter, Debug) ->
    proc_lib:hibernate(?MODULE, wake_hib, [Parent, Name, State, Mod, HibernateAfter, Debug]);
loop(Parent, Name, State, Mod, infinity, HibernateAfter, Debug) ->
    receive
        Msg -> decode_msg(Msg, Parent, Name, State, Mod, infinity, HibernateAfter, Debug, false)
    after HibernateAfter ->
        loop(Parent, Name, State, Mod, hibernate, HibernateAfter, Debug)
    end;
loop(Parent, Name, State, Mod, Time, HibernateAfter, Debug) ->
    Msg = receive Input -> Input after Time -> timeout end,
    decode_msg(Msg, Parent, Name, State, Mod, Time, HibernateAfter, Debug, false).

wake_hib(Parent, Name, State, Mod, HibernateAfter, Debug) ->
    Msg = receive Input -> Input end,
    decode_msg(Msg, Parent, Name, State, Mod, hibernate, HibernateAfter, Debug, true).

decode_msg(Msg, Parent, Name, State, Mod, Time, HibernateAfter, Debug, Hib) ->
    case Msg of
        {system, From, Req} ->
            sys:handle_system_msg(Req, From, Parent, ?MODULE, Debug, [Name, State, Mod, Time, HibernateAfter], Hib);
        {'EXIT', Parent, Reason} -> terminate(Reason, ?STACKTRACE(), Name, undefined, Msg, Mod, State, Debug);
        _ when Debug =:= [] -> handle_msg(Msg, Parent, Name, State, Mod, HibernateAfter);
        _ ->
            Debug1 = sys:handle_debug(Debug, fun print_event/3, Name, {in, Msg}),
            handle_msg(Msg, Parent, Name, State, Mod, HibernateAfter, Debug1)
    end.

try_dispatch({'$gen_cast', Msg}, Mod, State) -> try_dispatch(Mod, handle_cast, Msg, State);
try_dispatch(Info, Mod, State) -> try_dispatch(Mod, handle_info, Info, State).

try_dispatch(Mod, Func, Msg, State) ->
    try {ok, Mod:Func(Msg, State)}
    catch
        throw:R -> {ok, R};
        error:undef = R:Stacktrace when Func =:= handle_info ->
            case erlang:function_exported(Mod, handle_info, 2) of
                false ->
                    logger:log(warning, #{label => {gen_server, no_handle_info}, module => Mod, message => Msg},
                               #{domain => [otp], report_cb => fun gen_server:format_log/2,
                                 error_logger => #{tag => warning_msg, report_cb => fun gen_server:format_log/1}}),
                    {ok, {noreply, State}};
                true -> {'EXIT', error, R, Stacktrace}
            end;
        Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
    end.

try_handle_call(Mod, Msg, From, State) ->
    try {ok, Mod:handle_call(Msg, From, State)}
    catch
        throw:R -> {ok, R};
        Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
    end.

try_terminate(Mod, Reason, State) ->
    case erlang:function_exported(Mod, terminate, 2) of
        true ->
            try {ok, Mod:terminate(Reason, State)}
            catch
                throw:R -> {ok, R};
                Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
            end;
        false -> {ok, ok}
    end.

handle_msg({'$gen_call', From, Msg}, Parent, Name, State, Mod, HibernateAfter) ->
    Result = try_handle_call(Mod, Msg, From, State),
    case Result of
        {ok, {reply, Reply, NState}} ->
            reply(From, Reply),
            loop(Parent, Name, NState, Mod, infinity, HibernateAfter, []);
        {ok, {reply, Reply, NState, Action}} ->
            reply(From, Reply),
            loop(Parent, Name, NState, Mod, Action, HibernateAfter, []);
        {ok, {noreply, NState}} -> loop(Parent, Name, NState, Mod, infinity, HibernateAfter, []);
        {ok, {noreply, NState, Action}} -> loop(Parent, Name, NState, Mod, Action, HibernateAfter, []);
        {ok, {stop, Reason, Reply, NState}} ->
            try terminate(Reason, ?STACKTRACE(), Name, From, Msg, Mod, NState, [])
            after reply(From, Reply)
            end;
        Other -> handle_common_reply(Other, Parent, Name, From, Msg, Mod, HibernateAfter, State)
    end;
handle_msg(Msg, Parent, Name, State, Mod, HibernateAfter) ->
    Reply = try_dispatch(Msg, Mod, State),
    handle_common_reply(Reply, Parent, Name, undefined, Msg, Mod, HibernateAfter, State).

handle_msg({'$gen_call', From, Msg}, Parent, Name, State, Mod, HibernateAfter, Debug) ->
    Result = try_handle_call(Mod, Msg, From, State),
    case Result of
        {ok, {reply, Reply, NState}} ->
            Debug1 = reply(Name, From, Reply, NState, Debug),
            loop(Parent, Name, NState, Mod, infinity, HibernateAfter, Debug1);
        {ok, {reply, Reply, NState, Action}} ->
            Debug1 = reply(Name, From, Reply, NState, Debug),
            loop(Parent, Name, NState, Mod, Action, HibernateAfter, Debug1);
        {ok, {noreply, NState}} -> loop(Parent, Name, NState, Mod, infinity, HibernateAfter, noreply(Name, NState, Debug));
        {ok, {noreply, NState, Action}} -> loop(Parent, Name, NState, Mod, Action, HibernateAfter, noreply(Name, NState, Debug));
        {ok, {stop, Reason, Reply, NState}} ->
            try terminate(Reason, ?STACKTRACE(), Name, From, Msg, Mod, NState, Debug)
            after _ = reply(Name, From, Reply, NState, Debug)
            end;
        Other -> handle_common_reply(Other, Parent, Name, From, Msg, Mod, HibernateAfter, State, Debug)
    end;
handle_msg(Msg, Parent, Name, State, Mod, HibernateAfter, Debug) ->
    Reply = try_dispatch(Msg, Mod, State),
    handle_common_reply(Reply, Parent, Name, undefined, Msg, Mod, HibernateAfter, State, Debug).

noreply(Name, State, Debug) -> sys:handle_debug(Debug, fun print_event/3, Name, {noreply, State}).

reply(Name, From, Reply, State, Debug) ->
    reply(From, Reply),
    sys:handle_debug(Debug, fun print_event/3, Name, {out, Reply, From, State}).

handle_common_reply(Reply, Parent, Name, From, Msg, Mod, HibernateAfter, State) ->
    case Reply of
        {ok, {noreply, NState}} -> loop(Parent, Name, NState, Mod, infinity, HibernateAfter, []);
        {ok, {noreply, NState, Action}} -> loop(Parent, Name, NState, Mod, Action, HibernateAfter, []);
        {ok, {stop, Reason, NState}} -> terminate(Reason, ?STACKTRACE(), Name, From, Msg, Mod, NState, []);
        {'EXIT', Class, Reason, Stacktrace} -> terminate(Class, Reason, Stacktrace, Name, From, Msg, Mod, State, []);
        {ok, BadReply} -> terminate({bad_return_value, BadReply}, ?STACKTRACE(), Name, From, Msg, Mod, State, [])
    end.

handle_common_reply(Reply, Parent, Name, From, Msg, Mod, HibernateAfter, State, Debug) ->
    case Reply of
        {ok, {noreply, NState}} -> loop(Parent, Name, NState, Mod, infinity, HibernateAfter, noreply(Name, NState, Debug));
        {ok, {noreply, NState, Action}} -> loop(Parent, Name, NState, Mod, Action, HibernateAfter, noreply(Name, NState, Debug));
        {ok, {stop, Reason, NState}} -> terminate(Reason, ?STACKTRACE(), Name, From, Msg, Mod, NState, Debug);
        {'EXIT', Class, Reason, Stacktrace} -> terminate(Class, Reason, Stacktrace, Name, From, Msg, Mod, State, Debug);
        {ok, BadReply} -> terminate({bad_return_value, BadReply}, ?STACKTRACE(), Name, From, Msg, Mod, State, Debug)
    end.

%% ---- for the module sys ---------------------------------------------------------------------------------------------

system_continue(Parent, Debug, [Name, State, Mod, Time, HibernateAfter]) -> loop(Parent, Name, State, Mod, Time, HibernateAfter, Debug).

system_terminate(Reason, _, Debug, [Name, State, Mod, _, _]) ->
    terminate(Reason, ?STACKTRACE(), Name, undefined, [], Mod, State, Debug).

system_code_change([Name, State, Mod, Time, HibernateAfter], _, OldVsn, Extra) ->
    case catch Mod:code_change(OldVsn, State, Extra) of
        {ok, NewState} -> {ok, [Name, NewState, Mod, Time, HibernateAfter]};
        Else -> Else
    end.

system_get_state([_, State, _, _, _]) -> {ok, State}.

system_replace_state(StateFun, [Name, State, Mod, Time, HibernateAfter]) ->
    NState = StateFun(State),
    {ok, NState, [Name, NState, Mod, Time, HibernateAfter]}.

print_event(Dev, Event, Name) ->
    case Event of
        {in, Msg} ->
            case Msg of
                {'$gen_call', {From, _}, Call} -> io:format(Dev, "*DBG* ~tp got call ~tp from ~tw~n", [Name, Call, From]);
                {'$gen_cast', Cast} -> io:format(Dev, "*DBG* ~tp got cast ~tp~n", [Name, Cast]);
                _ -> io:format(Dev, "*DBG* ~tp got ~tp~n", [Name, Msg])
            end;
        {out, Msg, {To, _}, State} -> io:format(Dev, "*DBG* ~tp sent ~tp to ~tw, new state ~tp~n", [Name, Msg, To, State]);
        {noreply, State} -> io:format(Dev, "*DBG* ~tp new state ~tp~n", [Name, State]);
        _ -> io:format(Dev, "*DBG* ~tp dbg  ~tp~n", [Name, Event])
    end.

%% ---- the end --------------------------------------------------------------------------------------------------------

%% Through an exit; through an exception.
terminate(Reason, Stacktrace, Name, From, Msg, Mod, State, Debug) ->
    terminate(exit, Reason, Stacktrace, false, Name, From, Msg, Mod, State, Debug).

terminate(Class, Reason, Stacktrace, Name, From, Msg, Mod, State, Debug) ->
    terminate(Class, Reason, Stacktrace, true, Name, From, Msg, Mod, State, Debug).

terminate(Class, Reason, Stacktrace, ReportStacktrace, Name, From, Msg, Mod, State, Debug) ->
    case try_terminate(Mod, terminate_reason(Class, Reason, Stacktrace), State) of
        {'EXIT', C, R, S} ->
            error_info(R, S, Name, From, Msg, Mod, State, Debug),
            erlang:raise(C, R, S);
        _ ->
            case {Class, Reason} of
                {exit, normal} -> ok;
                {exit, shutdown} -> ok;
                {exit, {shutdown, _}} -> ok;
                _ when ReportStacktrace -> error_info(Reason, Stacktrace, Name, From, Msg, Mod, State, Debug);
                _ -> error_info(Reason, undefined, Name, From, Msg, Mod, State, Debug)
            end
    end,
    case Stacktrace of
        [] -> erlang:Class(Reason);
        _ -> erlang:raise(Class, Reason, Stacktrace)
    end.

terminate_reason(error, Reason, Stacktrace) -> {Reason, Stacktrace};
terminate_reason(exit, Reason, _) -> Reason.

error_info(_, _, application_controller, _, _, _, _, _) -> ok;
error_info(Reason, Stacktrace, Name, From, Msg, Mod, State, Debug) ->
    Status = gen:format_status(Mod, terminate, #{state => State, message => Msg, reason => Reason, log => sys:get_log(Debug)}, [get(), State]),
    ShownState =
        case Status of
            #{'EXIT' := Why} -> Why;
            #{'$status' := Old} -> Old;
            #{state := Shown} -> Shown
        end,
    ShownReason =
        case Stacktrace of
            undefined -> maps:get(reason, Status);
            _ -> {maps:get(reason, Status), Stacktrace}
        end,
    logger:log(error,
               #{label => {gen_server, terminate}, name => Name, last_message => maps:get(message, Status), state => ShownState,
                 log => shown_log(Mod, maps:get(log, Status)), reason => ShownReason, client_info => client_stacktrace(From)},
               #{domain => [otp], report_cb => fun gen_server:format_log/2,
                 error_logger => #{tag => error, report_cb => fun gen_server:format_log/1}}).

%% The states in the log of events, as the callback module wants them shown; format_status/1 has seen the log itself.
shown_log(Mod, Log) ->
    Shown = fun(State) -> maps:get(state, gen:format_status(Mod, terminate, #{state => State}, [get(), State])) end,
    case erlang:function_exported(Mod, format_status, 1) of
        true -> Log;
        false ->
            [case Event of
                 {out, Msg, To, State} -> {out, Msg, To, Shown(State)};
                 {noreply, State} -> {noreply, Shown(State)};
                 _ -> Event
             end || Event <- Log]
    end.

client_stacktrace(undefined) -> undefined;
client_stacktrace({From, _}) when is_pid(From), node(From) =:= node() ->
    case process_info(From, [current_stacktrace, registered_name]) of
        undefined -> {From, dead};
        [{current_stacktrace, Stacktrace}, {registered_name, []}] -> {From, {From, Stacktrace}};
        [{current_stacktrace, Stacktrace}, {registered_name, Name}] -> {From, {Name, Stacktrace}}
    end;
client_stacktrace({From, _}) when is_pid(From) -> {From, remote};
client_stacktrace(_) -> undefined.

format_log(Report) -> gen:'$format_log'(Report, fun report/2).
format_log(Report, Options) -> gen:'$format_log'(Report, Options, fun report/2).

report(#{label := {gen_server, no_handle_info}, module := Mod, message := Msg}, Single) -> gen:'$unhandled'(Mod, Msg, Single);
report(#{label := {gen_server, terminate}, name := Name, last_message := Msg, state := State, log := Log, reason := Reason,
         client_info := Client}, true) ->
    ["Generic server ", {p, Name}, " terminating. Reason: ", {l, gen:'$fixed_reason'(Reason)}, ". Last message: ", {l, Msg},
     ". State: ", {l, State}, "."]
        ++ case Log of [] -> []; _ -> [" Log: ", {l, Log}] end ++ gen:'$client'(Client, true);
report(#{label := {gen_server, terminate}, name := Name, last_message := Msg, state := State, log := Log, reason := Reason,
         client_info := Client}, false) ->
    ["** Generic server ", {p, Name}, " terminating \n** Last message in was ", {l, Msg}, "~n** When Server state == ", {l, State},
     "~n** Reason for termination ==~n** ", {l, gen:'$fixed_reason'(Reason)}, "~n"]
        ++ case Log of [] -> []; _ -> ["** Log ==~n** ["] ++ lists:join(",~n    ", [{l, Event} || Event <- Log]) ++ ["]~n"] end
        ++ gen:'$client'(Client, false).

format_status(Opt, [PDict, SysState, Parent, Debug, [Name, State, Mod, _, _]]) ->
    Header = gen:format_status_header("Status for generic server", Name),
    Status = gen:format_status(Mod, Opt, #{state => State, log => sys:get_log(Debug)}, [PDict, State]),
    Specific =
        case Status of
            #{'EXIT' := R} -> [{data, [{"State", R}]}];
            #{'$status' := L} when is_list(L) -> L;
            #{'$status' := T} -> [T];
            #{state := S} -> [{data, [{"State", S}]}]
        end,
    [{header, Header}, {data, [{"Status", SysState}, {"Parent", Parent}, {"Logged events", shown_log(Mod, maps:get(log, Status))}]} | Specific].
