%% The module `peer`: simulated nodes of one recorder. Whatever its connection, the node is a node of the distributed system; with an alternative
%% connection `call`, `cast` and `send` reach it besides.
-module(peer).
-behaviour(gen_server).
-export([start/1, start_link/0, start_link/1, stop/1, call/4, call/5, cast/4, send/3, get_state/1, random_name/0, random_name/1]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

random_name() -> random_name(peer).

random_name(Prefix) -> lists:concat([Prefix, "-", erlang:unique_integer([positive]), "-", rand:uniform(100000)]).

start_link() -> start_link(#{name => random_name()}).

start(Options) -> start(Options, start).
start_link(Options) -> start(Options, start_link).

start(Options, Start) ->
    verify(Options),
    Wait = maps:get(wait_boot, Options, 15000),
    Told = case Wait of
               false -> false;
               {Pid, _} when is_pid(Pid) -> Wait;
               _ -> {self(), make_ref()}
           end,
    case gen_server:Start(?MODULE, [Told, Options], []) of
        {ok, Peer} when is_integer(Wait); Wait =:= infinity -> booted(Peer, element(2, Told), Wait);
        {ok, Peer} when is_map_key(host, Options) -> {ok, Peer, node_name(Options)};
        Other -> Other
    end.

booted(Peer, Ref, Wait) ->
    Monitor = monitor(process, Peer),
    receive
        {Ref, {started, Node, Peer}} ->
            demonitor(Monitor, [flush]),
            {ok, Peer, Node};
        {'DOWN', Monitor, process, Peer, Reason} -> exit(Reason)
    after Wait ->
        _ = gen_server:stop(Peer),
        demonitor(Monitor, [flush]),
        exit(timeout)
    end.

verify(Options) when is_map(Options) ->
    Shutdown = maps:get(shutdown, Options, close),
    is_shutdown(Shutdown) orelse error({shutdown, Shutdown}),
    %% `start_cover` is for Common Test.
    [erlang:'$unsupported'(lists:concat(["peer:start with the option ", Key, ": it is not known"]), {?MODULE, start, [Options]})
     || Key <- maps:keys(Options), not lists:member(Key, [name, host, peer_down, connection, exec, detached, args, env, wait_boot, shutdown, start_cover])],
    Args = maps:get(args, Options, []),
    is_list(Args) orelse error({invalid_arg, Args}),
    [error({invalid_arg, Arg}) || Arg <- Args, not io_lib:char_list(Arg)],
    is_map_key(exec, Options)
        andalso erlang:'$unsupported'("peer:start with the option exec: a node is simulated, so there is no command", {?MODULE, start, [Options]}),
    Alone = not is_alive() orelse not is_map_key(name, Options),
    Alone andalso is_map_key(connection, Options)
        andalso erlang:'$unsupported'("peer:start with a connection for a node that is not alive; name it, and run the first node by tracer run --sname NAME",
                                      {?MODULE, start, [Options]}),
    Alone andalso error(not_alive);
verify(Options) -> error({badmap, Options}).

is_variable({Name, Value}) -> is_text(Name) andalso (Value =:= false orelse is_text(Value));
is_variable(_) -> false.

is_text(Text) -> is_list(Text) andalso lists:all(fun is_integer/1, Text).

is_shutdown({halt, Timeout}) -> is_time(Timeout);
is_shutdown({Timeout, Node}) -> is_time(Timeout) andalso is_atom(Node);
is_shutdown(Shutdown) -> Shutdown =:= close orelse Shutdown =:= halt orelse is_time(Shutdown).

is_time(Timeout) -> Timeout =:= infinity orelse is_integer(Timeout) andalso Timeout >= 1000 andalso Timeout < 1 bsl 32.

node_name(#{name := Name} = Options) ->
    Host = maps:get(host, Options, net_adm:localhost()),
    case lists:member($@, lists:concat([Name])) of
        true -> list_to_atom(lists:concat([Name]));
        false -> list_to_atom(lists:concat([Name, "@", Host]))
    end.

stop(Peer) -> gen_server:stop(Peer).

get_state(Peer) -> gen_server:call(Peer, get_state).

call(Peer, M, F, A) -> call(Peer, M, F, A, 5000).
call(Peer, M, F, A, Timeout) ->
    case gen_server:call(Peer, {call, M, F, A}, Timeout) of
        {ok, Value} -> Value;
        {error, noconnection} -> error(noconnection);
        {Class, {Reason, Stack}} -> erlang:raise(Class, Reason, Stack)
    end.

cast(Peer, M, F, A) -> gen_server:cast(Peer, {cast, M, F, A}).

send(Peer, To, Message) -> gen_server:cast(Peer, {send, To, Message}).

%% ---- the process that has the node -----------------------------------------------------------------------------------------------------

init([Told, Options]) ->
    process_flag(trap_exit, true),
    Env = maps:get(env, Options, []),
    %% As OTP, which then cannot open its port.
    is_list(Env) andalso lists:all(fun is_variable/1, Env) orelse erlang:raise(error, badarg, [{erlang, open_port, [{spawn_executable, "erl"}, [{env, Env}]], []}]),
    State = #{node => node_name(Options), connected => is_map_key(connection, Options), state => booting, args => maps:get(args, Options, []),
              env => maps:get(env, Options, []),
              down => maps:get(peer_down, Options, stop), told => Told, calls => #{}},
    self() ! boot,
    {ok, State}.

handle_call(get_state, _, #{state := Now} = State) -> {reply, Now, State};
handle_call({call, M, F, A}, From, #{connected := true, state := running, node := Node, calls := Calls} = State) ->
    {Pid, Ref} = do_call({Node, From}, M, F, A),
    {noreply, State#{calls := Calls#{Ref => {Pid, From}}}};
handle_call({call, _, _, _}, _, State) -> {reply, {error, noconnection}, State}.

handle_cast({cast, M, F, A}, #{connected := true, state := running, node := Node} = State) ->
    spawn(Node, M, F, A),
    {noreply, State};
handle_cast({send, To, Message}, #{connected := true, state := running, node := Node} = State) ->
    case is_pid(To) of
        true -> To ! Message;
        false -> {To, Node} ! Message
    end,
    {noreply, State};
handle_cast(_, State) -> {noreply, State}.

%% A node of that name, or another cookie, keeps it from ever reporting back.
handle_info(boot, #{node := Node, told := Told, args := Args, env := Env, state := booting} = State) ->
    case slave:'$boot'(Node, Args, Env) of
        true ->
            monitor_node(Node, true),
            slave:'$stay_with'(Node, node()),
            case Told of
                {Pid, Tag} -> Pid ! {Tag, {started, Node, self()}};
                false -> ok
            end,
            {noreply, State#{state := running}};
        _ -> {noreply, State}
    end;
handle_info({answer, Pid, From, Answer}, #{calls := Calls} = State) ->
    gen_server:reply(From, Answer),
    {noreply, State#{calls := maps:filter(fun(Ref, {Caller, _}) -> Caller =/= Pid orelse not demonitor(Ref, [flush]) end, Calls)}};
handle_info({'DOWN', Ref, process, _, Reason}, #{calls := Calls} = State) when is_map_key(Ref, Calls) ->
    {{_, From}, Rest} = maps:take(Ref, Calls),
    gen_server:reply(From, {exit, {Reason, []}}),
    {noreply, State#{calls := Rest}};
handle_info({nodedown, Node}, #{node := Node, down := Down} = State) ->
    Lost = State#{state := {down, {nodedown, Node}}},
    case Down of
        crash -> {stop, {nodedown, Node}, Lost};
        continue -> {noreply, Lost};
        _ -> {stop, normal, Lost}
    end;
handle_info(_, State) -> {noreply, State}.

terminate(_, #{state := running, node := Node}) ->
    monitor_node(Node, false),
    erlang:'$node_stop'(Node);
terminate(_, _) -> ok.

%% Calls on the node. The name of the fun is seen in stack traces.
do_call({Node, From}, M, F, A) ->
    Proxy = self(),
    spawn_monitor(Node, fun() ->
        Proxy ! {answer, self(), From,
                 try {ok, apply(M, F, A)}
                 catch Class:Reason:Stack -> {Class, {Reason, Stack}}
                 end}
    end).
