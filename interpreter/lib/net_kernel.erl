%% The module `net_kernel`: the node is made alive by `tracer run --name` or `--sname`, and cannot change that later.
-module(net_kernel).
-export([start/1, start/2, stop/0, connect_node/1, monitor_nodes/1, monitor_nodes/2, longnames/0, get_net_ticktime/0, nodename/0,
         get_state/0, allow/1, disconnect/1]).

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

get_net_ticktime() -> 60.

allow(_) -> ok.
