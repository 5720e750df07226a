%% The module `gen_server`. Names and arities of the inner functions show in stack traces and follow Erlang/OTP 25, and from 28 on its own.
-module(gen_server).
-export([start/3, start/4, start_link/3, start_link/4, start_monitor/3, start_monitor/4, stop/1, stop/3, call/2, call/3, send_request/2,
         send_request/4, wait_response/2, receive_response/2, check_response/2, wait_response/3, receive_response/3, check_response/3,
         reqids_new/0, reqids_size/1, reqids_add/3, reqids_to_list/1, cast/2, reply/2, abcast/2, abcast/3, multi_call/2, multi_call/3,
         multi_call/4, enter_loop/3, enter_loop/4, enter_loop/5, system_continue/3, system_terminate/4, system_code_change/4,
         system_get_state/1, system_replace_state/2, format_status/2, format_log/1, format_log/2, init_it/6]).

-if(?OTP_RELEASE < 28).
-export([wake_hib/6]).
-endif.

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

%% parent, name: of the server; tag: in the messages of its own timers; the callbacks as funs.
-record(server, {parent, tag, name, module, hibernate_after, handle_call, handle_cast, handle_info, handle_continue}).

-if(?OTP_RELEASE >= 27).
-define(WITH_LABEL(Report), (Report)#{process_label => proc_lib:get_label(self())}).
-define(LABEL(Report, Before, After), gen:'$label'(Report, Before, After)).
-else.
-define(WITH_LABEL(Report), Report).
-define(LABEL(Report, Before, After), []).
-endif.

%% What `sys` keeps for a server.
-if(?OTP_RELEASE >= 28).
-define(KEPT(Name, State, Mod), [#server{name = Name, module = Mod}, State, _, _]).
-else.
-define(KEPT(Name, State, Mod), [Name, State, Mod, _, _]).
-endif.

%% The clauses for an `init/1` that does not start a server. They are in the function itself, which shows in crash reports.
-define(NOT_STARTED(Starter, Name),
        {ok, {stop, Reason}} ->
            gen:unregister_name(Name),
            exit(Reason);
        {ok, {error, _} = Error} ->
            gen:unregister_name(Name),
            proc_lib:init_fail(Starter, Error, {exit, normal});
        {ok, ignore} ->
            gen:unregister_name(Name),
            proc_lib:init_fail(Starter, ignore, {exit, normal});
        {ok, Else} ->
            gen:unregister_name(Name),
            exit({bad_return_value, Else});
        {'EXIT', Class, Reason, Stacktrace} ->
            gen:unregister_name(Name),
            erlang:raise(Class, Reason, Stacktrace)).

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

-if(?OTP_RELEASE >= 28).
enter_loop(Mod, Options, State, ServerName, Action) when is_atom(Mod), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Server = server(gen:get_parent(), Name, Mod, gen:hibernate_after(Options)),
    case handle_action(Server, Action) of
        error ->
            gen:unregister_name(ServerName),
            exit({bad_action, Action});
        Next -> loop(Server, State, Next, gen:debug_options(Name, Options))
    end.

init_it(Starter, self, Name, Mod, Args, Options) -> init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, Name0, Mod, Args, Options) ->
    Name = gen:name(Name0),
    Server = server(Parent, Name, Mod, gen:hibernate_after(Options)),
    Debug = gen:debug_options(Name, Options),
    case init_it(Mod, Args) of
        {ok, {ok, State}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Server, State, infinity, Debug);
        {ok, {ok, State, Action} = Return} ->
            case handle_action(Server, Action) of
                error ->
                    gen:unregister_name(Name0),
                    exit({bad_return_value, Return});
                Next ->
                    proc_lib:init_ack(Starter, {ok, self()}),
                    loop(Server, State, Next, Debug)
            end;
        ?NOT_STARTED(Starter, Name0)
    end.

-else.
enter_loop(Mod, Options, State, ServerName, Action) when is_atom(Mod), is_list(Options) ->
    Name = gen:get_proc_name(ServerName),
    Parent = gen:get_parent(),
    loop(Parent, Name, State, Mod, Action, gen:hibernate_after(Options), gen:debug_options(Name, Options)).

-endif.

-if(?OTP_RELEASE < 28).
-if(?OTP_RELEASE >= 26).
init_it(Starter, self, Name, Mod, Args, Options) -> init_it(Starter, self(), Name, Mod, Args, Options);
init_it(Starter, Parent, Name0, Mod, Args, Options) ->
    Name = gen:name(Name0),
    Debug = gen:debug_options(Name, Options),
    HibernateAfter = gen:hibernate_after(Options),
    case init_it(Mod, Args) of
        {ok, {ok, State}} ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, State, Mod, infinity, HibernateAfter, Debug);
        {ok, {ok, State, Action}} when ?is_timeout(Action); Action =:= hibernate; tuple_size(Action) =:= 2, element(1, Action) =:= continue ->
            proc_lib:init_ack(Starter, {ok, self()}),
            loop(Parent, Name, State, Mod, Action, HibernateAfter, Debug);
        ?NOT_STARTED(Starter, Name0)
    end.

-else.
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

-endif.
-endif.

init_it(Mod, Args) ->
    try {ok, Mod:init(Args)}
    catch
        throw:R -> {ok, R};
        Class:R:S -> {'EXIT', Class, R, S}
    end.

-if(?OTP_RELEASE >= 28).

%% ---- the loop -------------------------------------------------------------------------------------------------------

server(Parent, Name, Mod, HibernateAfter) -> callbacks(#server{parent = Parent, tag = make_ref(), name = Name, module = Mod, hibernate_after = HibernateAfter}).

%% The code of a function is found when it is called, so these are never out of date.
callbacks(#server{module = Mod} = Server) ->
    Server#server{handle_call = fun Mod:handle_call/3, handle_cast = fun Mod:handle_cast/2, handle_info = fun Mod:handle_info/2,
                  handle_continue = fun Mod:handle_continue/2}.

%% What the loop does next: {continue, _}, hibernate, a time, {timeout_zero, Message}, or {timeout, [Timer | Message], hibernate or infinity}.
handle_action(Server, Action) ->
    case Action of
        {continue, _} -> Action;
        hibernate -> hibernate;
        _ when ?is_timeout(Action) -> Action;
        {timeout, Time, Message} -> handle_timeout(Server, Time, Message, infinity, [], false);
        {hibernate, Time, Message} -> handle_timeout(Server, Time, Message, hibernate, [], false);
        {timeout, Time, Message, Options} when is_list(Options) -> handle_timeout(Server, Time, Message, infinity, Options, false);
        {timeout, Time, Message, Option} -> handle_timeout(Server, Time, Message, infinity, [Option], false);
        {hibernate, Time, Message, Options} when is_list(Options) -> handle_timeout(Server, Time, Message, hibernate, Options, false);
        {hibernate, Time, Message, Option} -> handle_timeout(Server, Time, Message, hibernate, [Option], false);
        _ -> error
    end.

handle_timeout(Server, Time, Message, Wait, [{abs, Abs} | Options], _) when is_boolean(Abs) ->
    handle_timeout(Server, Time, Message, Wait, Options, Abs);
handle_timeout(_, infinity, _, Wait, [], _) -> Wait;
handle_timeout(_, 0, Message, _, [], false) -> {timeout_zero, Message};
handle_timeout(#server{tag = Tag}, Time, Message, Wait, [], Abs) when is_integer(Time), Abs orelse Time > 0 ->
    {timeout, [erlang:start_timer(Time, self(), Tag, [{abs, Abs}]) | Message], Wait};
handle_timeout(_, _, _, _, _, _) -> error.

loop(Server, State, {continue, Continue} = Msg, Debug) ->
    Reply = try_handle_continue(Server, State, Continue),
    case Debug of
        [] -> handle_common_reply(Server, State, Msg, undefined, Reply);
        _ ->
            Debug1 = sys:handle_debug(Debug, fun print_event/3, Server#server.name, Msg),
            handle_common_reply(Server, State, Msg, Debug1, undefined, Reply)
    end;
loop(Server, State, {timeout_zero, Msg}, Debug) -> decode_msg(Server, State, infinity, Debug, [], Msg);
loop(Server, State, {timeout, Timer, Wait}, Debug) -> loop(Server, State, Wait, Debug, Timer);
loop(Server, State, Wait, Debug) -> loop(Server, State, Wait, Debug, []).

loop(Server, State, hibernate, Debug, Timer) ->
    receive
        Msg -> decode_msg(Server, State, hibernate, Debug, Timer, Msg)
    after 0 -> loop_hibernate(Server, State, Timer, Debug)
    end;
loop(Server, State, infinity, Debug, Timer) ->
    receive
        Msg -> decode_msg(Server, State, infinity, Debug, Timer, Msg)
    after Server#server.hibernate_after -> loop_hibernate(Server, State, Timer, Debug)
    end;
loop(Server, State, Time, Debug, Timer) ->
    receive
        Msg -> decode_msg(Server, State, Time, Debug, Timer, Msg)
    after Time -> decode_msg(Server, State, infinity, Debug, Timer, timeout)
    end.

loop_hibernate(Server, State, Timer, Debug) ->
    erlang:hibernate(),
    loop_wakeup(Server, State, Timer, Debug).

loop_wakeup(Server, State, Timer, Debug) ->
    receive
        Msg -> decode_msg(callbacks(Server), State, hibernate, Debug, Timer, Msg)
    end.

decode_msg(#server{parent = Parent, tag = Tag} = Server, State, Wait, Debug, Timer, Msg) ->
    case Msg of
        {system, From, Req} -> sys:handle_system_msg(Req, From, Parent, ?MODULE, Debug, [Server, State, Wait, Timer], Wait =:= hibernate);
        {'EXIT', Parent, Reason} -> terminate(Server, State, Msg, undefined, Reason, ?STACKTRACE(), Debug);
        {timeout, Ref, Tag} when Ref =:= hd(Timer) -> decode_msg(Server, State, tl(Timer), Debug);
        %% Of a timer that was cancelled.
        {timeout, _, Tag} -> loop(Server, State, Wait, Debug, Timer);
        _ ->
            _ = case Timer of
                    [] -> ok;
                    [Ref | _] -> erlang:cancel_timer(Ref, [{async, true}, {info, false}])
                end,
            decode_msg(Server, State, Msg, Debug)
    end.

decode_msg(Server, State, Msg, []) -> handle_msg(Server, State, Msg);
decode_msg(#server{name = Name} = Server, State, Msg, Debug) ->
    Debug1 = sys:handle_debug(Debug, fun print_event/3, Name, {in, Msg}),
    handle_msg(Server, State, Msg, Debug1).

try_dispatch(Server, State, {'$gen_cast', Msg}) -> try_handle_cast(Server, State, Msg);
try_dispatch(Server, State, Info) -> try_handle_info(Server, State, Info).

try_handle_continue(#server{handle_continue = Continue}, State, Msg) ->
    try {ok, Continue(Msg, State)}
    catch
        throw:R -> {ok, R};
        Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
    end.

try_handle_info(#server{module = Mod, handle_info = Info}, State, Msg) ->
    try {ok, Info(Msg, State)}
    catch
        throw:R -> {ok, R};
        error:undef = R:Stacktrace ->
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

try_handle_cast(#server{handle_cast = Cast}, State, Msg) ->
    try {ok, Cast(Msg, State)}
    catch
        throw:R -> {ok, R};
        Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
    end.

try_handle_call(#server{handle_call = Call}, State, Msg, From) ->
    try {ok, Call(Msg, From, State)}
    catch
        throw:R -> {ok, R};
        Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
    end.

try_terminate(#server{module = Mod}, State, Reason) ->
    case erlang:function_exported(Mod, terminate, 2) of
        true ->
            try {ok, Mod:terminate(Reason, State)}
            catch
                throw:R -> {ok, R};
                Class:R:Stacktrace -> {'EXIT', Class, R, Stacktrace}
            end;
        false -> {ok, ok}
    end.

handle_msg(Server, State, {'$gen_call', From, Msg}) ->
    case try_handle_call(Server, State, Msg, From) of
        {ok, {reply, Reply, NState}} ->
            reply(From, Reply),
            loop(Server, NState, infinity, []);
        {ok, {reply, Reply, NState, Action} = Return} ->
            case handle_action(Server, Action) of
                error -> terminate(Server, State, Msg, From, {bad_return_value, Return}, ?STACKTRACE(), []);
                Next ->
                    reply(From, Reply),
                    loop(Server, NState, Next, [])
            end;
        {ok, {stop, Reason, Reply, NState}} ->
            try terminate(Server, NState, Msg, From, Reason, ?STACKTRACE(), [])
            after reply(From, Reply)
            end;
        Other -> handle_common_reply(Server, State, Msg, From, Other)
    end;
handle_msg(Server, State, Msg) ->
    Reply = try_dispatch(Server, State, Msg),
    handle_common_reply(Server, State, Msg, undefined, Reply).

handle_msg(#server{name = Name} = Server, State, {'$gen_call', From, Msg}, Debug) ->
    case try_handle_call(Server, State, Msg, From) of
        {ok, {reply, Reply, NState}} -> loop(Server, NState, infinity, reply(Name, From, Reply, NState, Debug));
        {ok, {reply, Reply, NState, Action} = Return} ->
            case handle_action(Server, Action) of
                error -> terminate(Server, State, Msg, From, {bad_return_value, Return}, ?STACKTRACE(), []);
                Next -> loop(Server, NState, Next, reply(Name, From, Reply, NState, Debug))
            end;
        {ok, {stop, Reason, Reply, NState}} ->
            try terminate(Server, NState, Msg, From, Reason, ?STACKTRACE(), Debug)
            after _ = reply(Name, From, Reply, NState, Debug)
            end;
        Other -> handle_common_reply(Server, State, Msg, Debug, From, Other)
    end;
handle_msg(Server, State, Msg, Debug) ->
    Reply = try_dispatch(Server, State, Msg),
    handle_common_reply(Server, State, Msg, Debug, undefined, Reply).

noreply(#server{name = Name}, State, Debug) -> sys:handle_debug(Debug, fun print_event/3, Name, {noreply, State}).

reply(Name, From, Reply, State, Debug) ->
    reply(From, Reply),
    sys:handle_debug(Debug, fun print_event/3, Name, {out, Reply, From, State}).

handle_common_reply(Server, State, Msg, From, Reply) ->
    case Reply of
        {ok, {noreply, NState}} -> loop(Server, NState, infinity, []);
        {ok, {noreply, NState, Action} = Return} ->
            case handle_action(Server, Action) of
                error -> terminate(Server, State, Msg, From, {bad_return_value, Return}, ?STACKTRACE(), []);
                Next -> loop(Server, NState, Next, [])
            end;
        {ok, {stop, Reason, NState}} -> terminate(Server, NState, Msg, From, Reason, ?STACKTRACE(), []);
        {'EXIT', Class, Reason, Stacktrace} -> terminate(Server, State, Msg, From, Class, Reason, Stacktrace, []);
        {ok, BadReturn} -> terminate(Server, State, Msg, From, {bad_return_value, BadReturn}, ?STACKTRACE(), [])
    end.

handle_common_reply(Server, State, Msg, Debug, From, Reply) ->
    case Reply of
        {ok, {noreply, NState}} -> loop(Server, NState, infinity, noreply(Server, NState, Debug));
        {ok, {noreply, NState, Action} = Return} ->
            case handle_action(Server, Action) of
                error -> terminate(Server, State, Msg, From, {bad_return_value, Return}, ?STACKTRACE(), Debug);
                Next -> loop(Server, NState, Next, noreply(Server, NState, Debug))
            end;
        {ok, {stop, Reason, NState}} -> terminate(Server, NState, Msg, From, Reason, ?STACKTRACE(), Debug);
        {'EXIT', Class, Reason, Stacktrace} -> terminate(Server, State, Msg, From, Class, Reason, Stacktrace, Debug);
        {ok, BadReturn} -> terminate(Server, State, Msg, From, {bad_return_value, BadReturn}, ?STACKTRACE(), Debug)
    end.

-else.

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

-endif.

%% ---- for the module sys ---------------------------------------------------------------------------------------------

-if(?OTP_RELEASE >= 28).
system_continue(Parent, Debug, [Server, State, Wait, Timer]) -> loop(callbacks(Server#server{parent = Parent}), State, Wait, Debug, Timer).

system_terminate(Reason, _, Debug, [Server, State, _, _]) -> terminate(Server, State, [], undefined, Reason, ?STACKTRACE(), Debug).

system_code_change([#server{module = Mod} = Server, State, Wait, Timer], _, OldVsn, Extra) ->
    case catch Mod:code_change(OldVsn, State, Extra) of
        {ok, NewState} -> {ok, [Server, NewState, Wait, Timer]};
        Else -> Else
    end.

system_get_state([_, State, _, _]) -> {ok, State}.

system_replace_state(StateFun, [Server, State, Wait, Timer]) ->
    NState = StateFun(State),
    {ok, NState, [Server, NState, Wait, Timer]}.

-else.
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

-endif.

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

-if(?OTP_RELEASE >= 28).
%% Through an exit; through an exception.
terminate(Server, State, Msg, From, Reason, Stacktrace, Debug) -> terminate(Server, State, Msg, From, exit, Reason, Stacktrace, Debug, false).

terminate(Server, State, Msg, From, Class, Reason, Stacktrace, Debug) ->
    terminate(Server, State, Msg, From, Class, Reason, Stacktrace, Debug, true).

terminate(Server, State, Msg, From, Class, Reason, Stacktrace, Debug, ReportStacktrace) ->
    case try_terminate(Server, State, terminate_reason(Class, Reason, Stacktrace)) of
        {'EXIT', C, R, S} ->
            error_info(R, S, Server#server.name, From, Msg, Server#server.module, State, Debug),
            erlang:raise(C, R, S);
        _ ->
            case {Class, Reason} of
                {exit, normal} -> ok;
                {exit, shutdown} -> ok;
                {exit, {shutdown, _}} -> ok;
                _ when ReportStacktrace -> error_info(Reason, Stacktrace, Server#server.name, From, Msg, Server#server.module, State, Debug);
                _ -> error_info(Reason, undefined, Server#server.name, From, Msg, Server#server.module, State, Debug)
            end
    end,
    case Stacktrace of
        [] -> erlang:Class(Reason);
        _ -> erlang:raise(Class, Reason, Stacktrace)
    end.
-else.
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

-endif.

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
               ?WITH_LABEL(#{label => {gen_server, terminate}, name => Name, last_message => maps:get(message, Status), state => ShownState,
                 log => shown_log(Mod, maps:get(log, Status)), reason => ShownReason, client_info => client_stacktrace(From)}),
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
         client_info := Client} = Report, true) ->
    ["Generic server ", {p, Name}, " terminating"] ++ ?LABEL(Report, ". Label: ", "") ++ [". Reason: ", {l, gen:'$fixed_reason'(Reason)}, ". Last message: ", {l, Msg},
     ". State: ", {l, State}, "."]
        ++ case Log of [] -> []; _ -> [" Log: ", {l, Log}] end ++ gen:'$client'(Client, true);
report(#{label := {gen_server, terminate}, name := Name, last_message := Msg, state := State, log := Log, reason := Reason,
         client_info := Client} = Report, false) ->
    ["** Generic server ", {p, Name}, " terminating \n"] ++ ?LABEL(Report, "** Process label == ", "~n") ++ ["** Last message in was ", {l, Msg}, "~n** When Server state == ", {l, State},
     "~n** Reason for termination ==~n** ", {l, gen:'$fixed_reason'(Reason)}, "~n"]
        ++ case Log of [] -> []; _ -> ["** Log ==~n** ["] ++ lists:join(",~n    ", [{l, Event} || Event <- Log]) ++ ["]~n"] end
        ++ gen:'$client'(Client, false).

format_status(Opt, [PDict, SysState, Parent, Debug, ?KEPT(Name, State, Mod)]) ->
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
