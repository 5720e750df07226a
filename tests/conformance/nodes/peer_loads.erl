%% node: peer_loads_test
%% A node that was just started has loaded nothing of the program: the first load of a module there leaves no old code.
-module(peer_loads).
-export([main/0, hello/0]).

main() ->
    [twice() || _ <- [1, 2]].

twice() ->
    {ok, Peer, Node} = peer:start_link(#{name => peer_loads_peer}),
    {Module, Binary, File} = code:get_object_code(?MODULE),
    io:format("~p~n", [rpc:call(Node, code, load_binary, [Module, File, Binary])]),
    io:format("~p ~p~n", [rpc:call(Node, erlang, check_old_code, [Module]), rpc:call(Node, ?MODULE, hello, [])]),
    io:format("~p ~p~n", [rpc:call(Node, code, load_file, [Module]), rpc:call(Node, erlang, check_old_code, [Module])]),
    io:format("~p~n", [rpc:call(Node, ?MODULE, hello, [])]),
    io:format("~p~n", [peer:stop(Peer)]).

hello() -> hello.
