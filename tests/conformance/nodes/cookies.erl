%% node: first
%% A node that starts with another cookie than is expected of it is no node of the system.
-module(cookies).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Host = tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node()))),
    Node = fun(Name) -> list_to_atom(atom_to_list(Name) ++ "@" ++ Host) end,
    ok = net_kernel:monitor_nodes(true),
    io:format("~p ~p~n", [slave:start(Host, one, "-setcookie wrong"), nodes()]),
    true = erlang:set_cookie(Node(two), secret),
    io:format("~p~n", [erlang:get_cookie(Node(two))]),
    {ok, Two} = slave:start(Host, two, "-hidden -setcookie secret -x y"),
    io:format("~p ~p~n", [rpc:call(Two, erlang, get_cookie, []), rpc:call(Two, erlang, get_cookie, [node()])]),
    true = rpc:call(Two, erlang, set_cookie, [changed]),
    io:format("~p ~p~n", [rpc:call(Two, erlang, get_cookie, []), net_adm:ping(Two)]),
    slave:stop(Two),
    true = erlang:set_cookie(Node(three), known),
    {ok, Peer, Three} = peer:start(#{name => three, args => ["-setcookie", "known"]}),
    io:format("~p~n", [rpc:call(Three, erlang, get_cookie, [])]),
    peer:stop(Peer),
    io:format("~p~n", [try peer:start(#{name => three, args => ["-setcookie", "other"], wait_boot => 3000}) catch Class:Reason -> {Class, Reason} end]),
    io:format("~p~n", [nodes()]).
