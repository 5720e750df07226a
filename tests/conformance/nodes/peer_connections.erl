%% node: first
%% Peers with a connection besides distribution, how they are waited for, and how they end.
-module(peer_connections).
-export([main/0]).

short(Node) -> list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(Node))).

main() ->
    process_flag(trap_exit, true),
    refused(),
    [connected(Connection) || Connection <- [standard_io, 0]],
    {ok, Plain, PlainNode} = peer:start(#{name => plain}),
    io:format("~p ~p~n", [catch_(fun() -> peer:call(Plain, erlang, node, []) end), peer:cast(Plain, erlang, halt, [])]),
    io:format("~p ~p~n", [peer:send(Plain, init, hello), erpc:call(PlainNode, erlang, is_alive, [])]),
    peer:stop(Plain),
    waits(),
    ends(),
    io:format("~p~n", [nodes()]).

catch_(Call) ->
    try {ok, Call()}
    catch Class:Reason:Stack -> {Class, Reason, [{M, F, A} || {M, F, A, _} <- lists:sublist(Stack, 2), M =/= ?MODULE]}
    end.

refused() ->
    Options = [foo, #{name => a, shutdown => soon}, #{name => a, shutdown => 5}, #{name => a, shutdown => {halt, 1}}],
    [io:format("~p~n", [try peer:start(O) catch C:R -> {C, R} end]) || O <- Options].

connected(Connection) ->
    {ok, Peer, Node} = peer:start_link(#{name => with, connection => Connection}),
    io:format("~p ~p~n", [peer:get_state(Peer), short(peer:call(Peer, erlang, node, []))]),
    Calls = [{erlang, '+', [1, 2]}, {erlang, '+', [1, a]}, {erlang, exit, [bye]}, {erlang, throw, [ball]}, {lists, nth, [1, []]}, {no_such, f, []}],
    [io:format("~p: ~p~n", [F, catch_(fun() -> peer:call(Peer, M, F, A) end)]) || {M, F, A} <- Calls],
    {'EXIT', {timeout, _}} = (catch peer:call(Peer, timer, sleep, [500], 1)),
    Main = self(),
    ok = peer:cast(Peer, erlang, send, [Main, cast]),
    receive cast -> io:format("cast~n") end,
    Echo = peer:call(Peer, erlang, spawn, [fun() -> echo(Main) end]),
    true = peer:call(Peer, erlang, register, [echo, Echo]),
    ok = peer:send(Peer, Echo, by_pid),
    ok = peer:send(Peer, echo, by_name),
    [receive {echo, What} -> io:format("~p~n", [What]) end || _ <- [1, 2]],
    monitor_node(Node, true),
    ok = peer:stop(Peer),
    receive {nodedown, Node} -> io:format("down~n") end,
    receive {'EXIT', Peer, Reason} -> io:format("~p~n", [Reason]) end,
    {exit, {noproc, _}, _} = catch_(fun() -> peer:get_state(Peer) end).

echo(To) -> receive Message -> To ! {echo, Message}, echo(To) end.

waits() ->
    {ok, One, Node} = peer:start(#{name => one, wait_boot => infinity}),
    io:format("~p ~p~n", [short(Node), peer:get_state(One)]),
    peer:stop(One),
    {ok, Two} = peer:start(#{name => two, wait_boot => {self(), tag}}),
    receive {tag, {started, TwoNode, Two}} -> io:format("started ~p ~p~n", [short(TwoNode), peer:get_state(Two)]) end,
    peer:stop(Two),
    {ok, Three, ThreeNode} = peer:start(#{name => three, host => tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))}),
    io:format("~p~n", [short(ThreeNode)]),
    peer:stop(Three).

%% What becomes of the process when its node goes.
ends() ->
    [begin
        {ok, Peer, Node} = peer:start(#{name => goes, peer_down => Down}),
        Ref = monitor(process, Peer),
        monitor_node(Node, true),
        erpc:cast(Node, erlang, halt, []),
        receive {nodedown, Node} -> ok end,
        receive
            {'DOWN', Ref, process, Peer, Reason} -> io:format("~p: ~p~n", [Down, Reason])
        after 200 ->
            {down, _} = peer:get_state(Peer),
            io:format("~p: lives~n", [Down]),
            peer:stop(Peer)
        end
     end || Down <- [stop, continue]].
