%% node: first
%% Nodes end with the node from which they were started; disconnecting such nodes; cookies; who is told.
-module(origins).
-export([main/0, start_peer/3]).

short(Node) -> list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(Node))).
host() -> list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

main() ->
    Me = self(),
    ok = net_kernel:monitor_nodes(true),
    {ok, A} = slave:start(host(), a),
    up(a),
    spawn(A, fun() -> Me ! {b, slave:start(host(), b)}, receive after infinity -> ok end end),
    B = receive {b, {ok, B0}} -> B0 end,
    up(b),
    {P, R} = spawn_monitor(B, fun() -> receive after infinity -> ok end end),
    spawn(A, ?MODULE, start_peer, [Me, c, self()]),
    {_, C} = receive {peer, Ctl, C0} -> {Ctl, C0} end,
    up(c),
    spawn(B, fun() -> Me ! {d, slave:start(host(), d)} end),
    receive {d, {ok, _}} -> ok end,
    up(d),
    io:format("~p~n", [lists:sort([short(N) || N <- nodes()])]),
    R2 = monitor(process, {some, C}),
    receive {'DOWN', R2, _, {some, _}, W2} -> io:format("~p~n", [W2]) end,
    ok = slave:stop(A),
    io:format("~p~n", [lists:sort([down(), down(), down(), down()])]),
    receive {'DOWN', R, process, P, Why} -> io:format("~p~n", [Why]) end,
    io:format("~p~n", [nodes()]),
    {ok, E} = slave:start(host(), e),
    up(e),
    io:format("~p ~p ~p~n", [erlang:disconnect_node(E), down(), nodes()]),
    {ok, F} = slave:start(host(), f),
    up(f),
    spawn(F, fun() -> Me ! {loses, erlang:disconnect_node(node(Me))} end),
    io:format("~p~n", [down()]),
    io:format("~p ~p~n", [erlang:disconnect_node(node()), erlang:disconnect_node(nobody@nowhere)]),
    ok = net_kernel:monitor_nodes(false),
    {ok, G} = slave:start(host(), g),
    receive {nodeup, _} -> io:format("told~n") after 100 -> io:format("not told~n") end,
    slave:stop(G),
    io:format("~p ~p~n", [erlang:set_cookie(node(), mine), erlang:get_cookie()]),
    io:format("~p ~p ~p~n", [erlang:set_cookie(nobody@nowhere, theirs), erlang:get_cookie(), erlang:get_cookie(nobody@nowhere)]),
    [io:format("~p~n", [try erlang:set_cookie(N, K) catch X:Y -> {X, Y} end]) || {N, K} <- [{"x", y}, {x, "y"}, {nonode@nohost, z}]].

start_peer(Me, Name, _) ->
    {ok, Ctl, Node} = peer:start(#{name => Name}),
    Me ! {peer, Ctl, Node},
    receive after infinity -> ok end.

up(Name) -> receive {nodeup, N} -> Name = short(N) after 5000 -> exit({not_up, Name}) end.
down() -> receive {nodedown, N} -> short(N) after 5000 -> none end.
