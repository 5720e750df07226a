%% node: first
-module(peers).
-export([main/0]).

short(Node) -> list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(Node))).

main() ->
    process_flag(trap_exit, true),
    ok = net_kernel:monitor_nodes(true),
    {ok, P, Node} = peer:start(#{name => one}),
    receive {nodeup, Node} -> io:format("up ~p~n", [short(Node)]) end,
    io:format("~p ~p~n", [is_process_alive(P), peer:get_state(P)]),
    io:format("~p~n", [nodes() =:= [Node]]),
    io:format("~p~n", [short(erpc:call(Node, erlang, node, []))]),
    io:format("~p~n", [try peer:call(P, erlang, node, []) catch C:R -> {C, R} end]),
    io:format("~p~n", [peer:stop(P)]),
    receive {nodedown, Node} -> io:format("down ~p~n", [short(Node)]) end,
    io:format("~p ~p~n", [is_process_alive(P), nodes()]),
    io:format("~p~n", [try peer:stop(P) catch C1:R1 -> {C1, R1} end]),
    {ok, L, Random} = peer:start_link(),
    receive {nodeup, Random} -> io:format("up~n") end,
    io:format("~p~n", [nodes() =:= [Random]]),
    erpc:cast(Random, erlang, halt, []),
    receive {nodedown, Random} -> io:format("down~n") end,
    receive {'EXIT', L, Why} -> io:format("~p~n", [Why]) end,
    ok = net_kernel:monitor_nodes(false),
    {ok, Two} = slave:start_link(tl(lists:dropwhile(fun(X) -> X =/= $@ end, atom_to_list(node()))), two),
    Main = self(),
    spawn(fun() ->
        {ok, Three} = slave:start_link(tl(lists:dropwhile(fun(X) -> X =/= $@ end, atom_to_list(node()))), three),
        Main ! {three, Three}
    end),
    Three = receive {three, T} -> T end,
    monitor_node(Three, true),
    receive {nodedown, Three} -> io:format("down ~p~n", [short(Three)]) end,
    io:format("~p~n", [nodes() =:= [Two]]),
    slave:stop(Two).
