%% node: first
-module(start_stop).
-export([main/0]).

short(Node) when is_atom(Node) ->
    list_to_atom(lists:takewhile(fun(C) -> C =/= $@ end, atom_to_list(Node)));
short(Nodes) -> [short(N) || N <- lists:sort(Nodes)].

host() ->
    list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

on(Name) -> list_to_atom(lists:concat([Name, "@", host()])).

main() ->
    io:format("~p ~p ~p~n", [is_alive(), short(node()), nodes()]),
    {ok, One} = slave:start(host(), one),
    io:format("~p ~p~n", [One =:= on(one), slave:start(host(), one) =:= {error, {already_running, One}}]),
    io:format("~p~n", [slave:start(host(), first) =:= {error, {already_running, node()}}]),
    {ok, Two} = slave:start(host(), two, ""),
    io:format("~p ~p~n", [short(nodes()), short(nodes(connected))]),
    io:format("~p ~p ~p~n", [short(nodes(this)), short(nodes([this, visible])), nodes(hidden)]),
    Main = self(),
    spawn(One, fun() -> Main ! {short(node()), short(node(Main)), short(node(self()))} end),
    receive Seen -> io:format("~p~n", [Seen]) end,
    P = spawn(Two, timer, sleep, [infinity]),
    io:format("~p ~p~n", [short(node(P)), short(node(make_ref()))]),
    [io:format("~p~n", [catch_reason(F)]) || F <- [
        fun() -> is_process_alive(P) end,
        fun() -> process_info(P) end,
        fun() -> process_info(P, messages) end,
        fun() -> register(p, P) end,
        fun() -> nodes(everything) end,
        fun() -> spawn("two", lists, last, [[]]) end,
        fun() -> monitor_node(two, maybe) end,
        fun() -> node(two) end]],
    io:format("~p ~p ~p~n", [net_adm:ping(One), net_adm:ping(on(none)), net_adm:ping(node())]),
    io:format("~p ~p~n", [monitor_node(One, true), monitor_node(One, true)]),
    io:format("~p~n", [monitor_node(Two, true)]),
    io:format("~p~n", [monitor_node(Two, false)]),
    ok = slave:stop(One),
    [receive {nodedown, N} -> io:format("down ~p~n", [short(N)]) end || _ <- [1, 2]],
    ok = slave:stop(Two),
    io:format("~p~n", [receive M -> M after 300 -> nothing end]),
    io:format("~p~n", [nodes()]),
    monitor_node(One, true),
    receive {nodedown, N1} -> io:format("down ~p~n", [short(N1)]) end,
    {ok, One} = slave:start(host(), one),
    io:format("~p~n", [short(nodes())]),
    R = monitor(process, P),
    receive {'DOWN', R, process, P, Why} -> io:format("~p~n", [Why]) end,
    Q = spawn(One, erlang, halt, []),
    io:format("~p~n", [short(node(Q))]),
    monitor_node(One, true),
    receive {nodedown, N2} -> io:format("down ~p~n", [short(N2)]) end,
    io:format("~p~n", [nodes()]).

catch_reason(F) ->
    try F() catch C:R -> {C, R} end.
