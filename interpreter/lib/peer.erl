%% The module `peer`: simulated nodes of one recorder, connected by distribution alone.
-module(peer).
-export([start/1, start_link/0, start_link/1, stop/1, call/4, call/5, cast/4, send/3, get_state/1, random_name/0, random_name/1]).

random_name() -> random_name(peer).

random_name(Prefix) -> lists:concat([Prefix, "-", erlang:unique_integer([positive]), "-", rand:uniform(100000)]).


start_link() -> start_link(#{name => random_name()}).

start(Options) -> start(Options, spawn).
start_link(Options) -> start(Options, spawn_link).

start(Options, How) ->
    verify(Options),
    Node = node_name(Options),
    Starter = self(),
    Ref = make_ref(),
    Init = fun() -> init(Starter, Ref, Node, How) end,
    {Pid, Monitor} = case How of
                         spawn -> spawn_monitor(Init);
                         spawn_link -> spawn_opt(Init, [link, monitor])
                     end,
    receive
        {Ref, started} ->
            demonitor(Monitor, [flush]),
            {ok, Pid, Node};
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

verify(Options) when is_map(Options) ->
    is_map_key(connection, Options)
        andalso erlang:'$unsupported'("the option connection of peer:start", {?MODULE, start, [Options]}),
    is_alive() orelse error(not_alive),
    is_map_key(name, Options) orelse error(not_alive);
verify(Options) -> error({invalid_arg, Options}).

node_name(#{name := Name} = Options) ->
    Host = maps:get(host, Options, net_adm:localhost()),
    case lists:member($@, lists:concat([Name])) of
        true -> list_to_atom(lists:concat([Name]));
        false -> list_to_atom(lists:concat([Name, "@", Host]))
    end.

init(Starter, Ref, Node, How) ->
    process_flag(trap_exit, true),
    case erlang:'$node_start'(Node) of
        true ->
            monitor_node(Node, true),
            slave:'$stay_with'(Node, node()),
            Starter ! {Ref, started},
            loop(Starter, Node, How);
        false ->
            %% A node of that name keeps OTP's peer from ever reporting back.
            exit(timeout)
    end.

loop(Starter, Node, How) ->
    receive
        {'$peer', stop, From, Tag} ->
            monitor_node(Node, false),
            erlang:'$node_stop'(Node),
            From ! {Tag, ok};
        {'$peer', get_state, From, Tag} ->
            From ! {Tag, running},
            loop(Starter, Node, How);
        {'EXIT', Starter, Reason} when How =:= spawn_link ->
            monitor_node(Node, false),
            erlang:'$node_stop'(Node),
            exit(Reason);
        {nodedown, Node} -> ok;
        _ -> loop(Starter, Node, How)
    end.

stop(Pid) -> request(Pid, stop).

get_state(Pid) -> request(Pid, get_state).

request(Pid, What) ->
    Tag = monitor(process, Pid),
    Pid ! {'$peer', What, self(), Tag},
    receive
        {Tag, Reply} ->
            %% A stopped controller is gone when its caller goes on.
            What =:= stop andalso receive {'DOWN', Tag, process, _, _} -> ok end,
            demonitor(Tag, [flush]),
            Reply;
        {'DOWN', Tag, process, _, Reason} -> exit(Reason)
    end.

%% By distribution there is no other way to the node than distribution.
call(Pid, M, F, A) -> call(Pid, M, F, A, 5000).
call(Pid, _, _, _, _) when is_pid(Pid) -> error(noconnection).

cast(Pid, _, _, _) when is_pid(Pid) -> error(noconnection).

send(Pid, _, _) when is_pid(Pid) -> error(noconnection).
