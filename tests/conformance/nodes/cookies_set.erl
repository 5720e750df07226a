%% node: first
%% Cookies that were set are expected of the nodes that start after that; those that are there stay.
-module(cookies_set).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    Host = tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node()))),
    Node = fun(Name) -> list_to_atom(atom_to_list(Name) ++ "@" ++ Host) end,
    Home = erlang:get_cookie(),
    {ok, Zero} = slave:start(Host, zero),
    io:format("~p~n", [rpc:call(Zero, erlang, get_cookie, []) =:= Home]),
    true = erlang:set_cookie(node(), abc),
    io:format("~p ~p~n", [erlang:get_cookie(), net_adm:ping(Zero)]),
    slave:stop(Zero),
    Tried = fun(Name) -> try peer:start(#{name => Name, wait_boot => 3000}) catch Class:Reason -> {Class, Reason} end end,
    io:format("~p~n", [Tried(five)]),
    {ok, Six} = slave:start(Host, six, "-setcookie abc"),
    io:format("~p~n", [rpc:call(Six, erlang, get_cookie, [])]),
    slave:stop(Six),
    true = erlang:set_cookie(Node(seven), Home),
    {ok, Seven} = slave:start(Host, seven),
    io:format("~p~n", [rpc:call(Seven, erlang, get_cookie, []) =:= Home]),
    slave:stop(Seven),
    true = erlang:set_cookie(Node(eight), other),
    io:format("~p ~p~n", [Tried(eight), nodes()]).
