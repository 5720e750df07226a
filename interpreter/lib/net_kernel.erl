%% The module `net_kernel`: the node is made alive by `tracer run --name` or `--sname`, and cannot change that later.
-module(net_kernel).
-export([start/1, start/2, stop/0, connect_node/1, monitor_nodes/1, monitor_nodes/2, longnames/0, get_net_ticktime/0, nodename/0,
         get_state/0, allow/1, disconnect/1, set_net_ticktime/1, set_net_ticktime/2, nodes_info/0, node_info/1, node_info/2, verbose/1,
         hidden_connect_node/1, dflag_unicode_io/1, '$port_number'/1, '$address'/1]).

start([Name | _]) -> start(Name, #{}).

start(Name, Options) ->
    case is_alive() of
        true ->
            case becomes_alive() of
                later ->
                    application:set_env(retell, alive, now),
                    {ok, kernel()};
                _ -> {error, {already_started, kernel()}}
            end;
        false -> erlang:'$unsupported'("net_kernel:start; make the node alive by tracer run --sname NAME or --name NAME@HOST",
                                       {?MODULE, start, [Name, Options]})
    end.

%% Under `tracer test` a node that the tests make alive has its name from the start: `later`, until they have done it.
becomes_alive() ->
    case erlang:'$env_get'(retell, alive) of
        {ok, When} -> When;
        undefined -> from_the_start
    end.

%% What stands for the process of OTP.
kernel() ->
    case whereis(net_kernel) of
        undefined ->
            Starter = self(),
            Pid = spawn(fun() -> Starter ! {self(), catch register(net_kernel, self())}, idle() end),
            receive {Pid, true} -> Pid; {Pid, _} -> kernel() end;
        Pid -> Pid
    end.

idle() -> receive stop -> ok; _ -> idle() end.

stop() ->
    case is_alive() of
        true ->
            case becomes_alive() of
                now -> application:set_env(retell, alive, later);
                later -> {error, not_found};
                from_the_start -> {error, not_allowed}
            end;
        false -> {error, not_found}
    end.

connect_node(Node) when Node =:= node() -> true;
connect_node(Node) when is_atom(Node) ->
    case is_alive() of
        true -> erlang:'$node_up'(Node);
        false -> ignored
    end.

disconnect(Node) -> erlang:disconnect_node(Node).

monitor_nodes(Flag) -> monitor_nodes(Flag, []).

monitor_nodes(Flag, _) when not is_boolean(Flag) -> error;
monitor_nodes(Flag, []) -> erlang:'$monitor_nodes'(Flag);
monitor_nodes(Flag, Options) ->
    case checked(Options) of
        %% There are no hidden nodes.
        {ok, #{node_type := hidden}} -> ok;
        {ok, Given} ->
            Kind = if is_map(Options) -> map; true -> list end,
            What = {Kind, is_map_key(node_type, Given), maps:get(nodedown_reason, Given, false), maps:get(connection_id, Given, false)},
            case erlang:'$monitor_nodes'(Flag, What) of
                ok -> ok;
                false -> erlang:'$unsupported'("net_kernel:monitor_nodes with other options than before in one process", {?MODULE, monitor_nodes, [Flag, Options]})
            end;
        Error -> Error
    end.

%% The options as a map, or what is wrong with them.
checked(Options) when is_map(Options) ->
    Bad = [#{Key => Value} || Key <- [connection_id, nodedown_reason, node_type], #{Key := Value} <- [Options], not is_value(Key, Value)],
    case {Bad, maps:without([connection_id, nodedown_reason, node_type], Options)} of
        {[First | _], _} -> {error, {bad_option_value, First}};
        {[], Unknown} when map_size(Unknown) > 0 -> {error, {unknown_options, Unknown}};
        {[], _} -> {ok, Options}
    end;
checked(Options) when is_list(Options) ->
    Types = lists:usort([Type || {node_type, Type} <- Options]),
    Unknown = [O || O <- Options, O =/= nodedown_reason, O =/= connection_id, not (is_tuple(O) andalso tuple_size(O) =:= 2 andalso element(1, O) =:= node_type)],
    case Types of
        [_, _ | _] ->
            [First, Second | _] = [O || {node_type, _} = O <- Options],
            {error, {option_value_mismatch, [Second, First]}};
        [Type] when Type =/= visible, Type =/= hidden, Type =/= all -> {error, {bad_option_value, {node_type, Type}}};
        _ when Unknown =/= [] -> {error, {unknown_options, lists:reverse(Unknown)}};
        _ -> {ok, maps:from_list([{node_type, Type} || Type <- Types] ++ [{O, true} || O <- Options, is_atom(O)])}
    end;
checked(Options) -> {error, {invalid_options, Options}}.

is_value(node_type, Value) -> lists:member(Value, [visible, hidden, all]);
is_value(_, Value) -> is_boolean(Value).

longnames() ->
    case is_alive() of
        true -> lists:member($., tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node()))));
        false -> ignored
    end.

nodename() ->
    case is_alive() of
        true -> node();
        false -> ignored
    end.

get_state() ->
    case longnames() of
        ignored -> #{started => no};
        Long -> #{started => static, name => node(), name_type => static,
                  name_domain => case Long of true -> longnames; false -> shortnames end}
    end.

%% There are no ticks, so the time is only kept.
get_net_ticktime() ->
    case has_started() of
        true -> ticktime();
        false -> ignored
    end.

ticktime() ->
    case erlang:'$env_get'('$system', net_ticktime) of
        {ok, Time} -> Time;
        undefined -> 60
    end.

set_net_ticktime(Time) -> set_net_ticktime(Time, 60).

set_net_ticktime(Time, Period) when is_integer(Time), Time > 0, is_integer(Period), Period >= 0 ->
    case has_started() of
        true ->
            case ticktime() of
                Time -> unchanged;
                _ ->
                    erlang:'$env_set'('$system', net_ticktime, Time),
                    change_initiated
            end;
        false -> ignored
    end.

has_started() -> is_alive() andalso becomes_alive() =/= later.

%% Nothing is counted of a connection, and its address and port are numbers that belong to the name of the node.
nodes_info() ->
    case has_started() of
        true ->
            Nodes = nodes(),
            keep_table(Nodes),
            {ok, [{Node, connection(Node)} || Node <- Nodes]};
        false -> {error, badarg}
    end.

node_info(Node) ->
    case has_started() of
        true ->
            case lists:member(Node, nodes()) of
                true -> {ok, connection(Node)};
                false -> {error, bad_node}
            end;
        false -> {error, badarg}
    end.

node_info(Node, Key) ->
    case node_info(Node) of
        {ok, Items} ->
            case lists:keyfind(Key, 1, Items) of
                {Key, Value} -> {ok, Value};
                false -> {error, invalid_key}
            end;
        Error -> Error
    end.

%% OTP's own table of connections, which tools read beside this list: the third element names a connection to `erlang:dist_get_stat/1`.
keep_table([]) -> ok;
keep_table(Nodes) ->
    case ets:info(sys_dist, owner) of
        undefined ->
            Asks = self(),
            Owner = spawn(fun() ->
                _ = (catch ets:new(sys_dist, [named_table, public, {keypos, 2}])),
                Asks ! {self(), made},
                idle()
            end),
            receive {Owner, made} -> ok end;
        _ -> ok
    end,
    ets:insert(sys_dist, [{connection, Node, {1, '$port_number'(Node)}, up, whereis(net_kernel), whereis(net_kernel)} || Node <- Nodes]),
    ok.

connection(Node) ->
    [_, Host] = string:split(atom_to_list(Node), "@"),
    Address = {net_address, '$address'(Node), Host, tcp, inet},
    [{owner, whereis(net_kernel)}, {state, up}, {address, Address}, {type, normal}, {in, 0}, {out, 0}].

%% The number of the port that stands for the connection with a node.
'$port_number'(Node) -> 1000 + erlang:phash2(Node, 1 bsl 24).

'$address'(Node) -> {{127, 0, 0, 1}, 32768 + erlang:phash2(Node, 28000)}.

verbose(Level) ->
    case has_started() of
        true ->
            Before = case erlang:'$env_get'('$system', net_kernel_verbose) of
                {ok, Set} -> Set;
                undefined -> 0
            end,
            erlang:'$env_set'('$system', net_kernel_verbose, Level),
            Before;
        false -> ignored
    end.

%% All nodes see each other.
hidden_connect_node(Node) -> connect_node(Node).

dflag_unicode_io(Pid) when is_pid(Pid) -> true.

allow(_) -> ok.
