%% The module `net_kernel`: the node is made alive by `tracer run --name` or `--sname`, and cannot change that later.
-module(net_kernel).
-export([start/1, start/2, stop/0, connect_node/1, monitor_nodes/1, monitor_nodes/2, longnames/0, get_net_ticktime/0, nodename/0,
         get_state/0, allow/1, disconnect/1]).

start([Name | _]) -> start(Name, #{}).

start(Name, Options) ->
    case is_alive() of
        true -> {error, {already_started, self()}};
        false -> erlang:'$unsupported'("net_kernel:start; make the node alive by tracer run --sname NAME or --name NAME@HOST",
                                       {?MODULE, start, [Name, Options]})
    end.

stop() ->
    case is_alive() of
        true -> {error, not_allowed};
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

monitor_nodes(Flag, []) when is_boolean(Flag) -> erlang:'$monitor_nodes'(Flag);
monitor_nodes(Flag, [{node_type, Type}]) when is_boolean(Flag), Type =/= hidden -> erlang:'$monitor_nodes'(Flag);
monitor_nodes(Flag, Options) when is_boolean(Flag) ->
    erlang:'$unsupported'("options of net_kernel:monitor_nodes", {?MODULE, monitor_nodes, [Flag, Options]});
monitor_nodes(Flag, _) -> {error, {bad_flag, Flag}}.

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
