%% node: connections
%% What `net_kernel` says of connections, and of its time between ticks.
-module(connections).
-export([main/0]).
main() ->
    show(fun() -> net_kernel:nodes_info() end),
    {ok, Peer, Node} = peer:start(#{name => peer:random_name(), connection => standard_io}),
    pong = net_adm:ping(Node),
    show(fun() -> {ok, [{N, Items}]} = net_kernel:nodes_info(), {N =:= Node, [K || {K, _} <- Items]} end),
    show(fun() -> {ok, Items} = net_kernel:node_info(Node), proplists:get_value(type, Items) end),
    show(fun() -> {ok, {net_address, {{127, 0, 0, 1}, Port}, _, tcp, inet}} = net_kernel:node_info(Node, address), is_integer(Port) end),
    show(fun() -> net_kernel:node_info(Node, state) end),
    show(fun() -> net_kernel:node_info(Node, nonsense) end),
    show(fun() -> net_kernel:node_info(node()) end),
    show(fun() -> net_kernel:node_info(foo@bar) end),
    show(fun() ->
        {ok, {net_address, Address, _, _, _}} = net_kernel:node_info(Node, address),
        [Port] = [P || P <- erlang:ports(), erlang:port_info(P, name) =:= {name, "tcp_inet"}, inet:peername(P) =:= {ok, Address}],
        {ok, Stat} = inet:getstat(Port),
        {ok, Owner} = net_kernel:node_info(Node, owner),
        {erlang:port_info(Port, connected) =:= {connected, Owner}, [K || {K, _} <- Stat]}
    end),
    show(fun() -> element(1, erlang:dist_get_stat(ets:lookup_element(sys_dist, Node, 3))) end),
    show(fun() -> [{net_kernel:F(60), net_kernel:get_net_ticktime()} || F <- [set_net_ticktime]] end),
    show(fun() -> net_kernel:set_net_ticktime(x) end),
    show(fun() -> net_kernel:verbose(0) end),
    show(fun() -> net_kernel:dflag_unicode_io(self()) end),
    show(fun() -> net_kernel:hidden_connect_node(Node) end),
    show(fun() -> net_kernel:hidden_connect_node(node()) end),
    peer:stop(Peer).

show(F) -> io:format("~p~n", [try F() catch C:E:_ -> {C, E} end]).
