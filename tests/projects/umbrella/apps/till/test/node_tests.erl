-module(node_tests).
-include_lib("eunit/include/eunit.hrl").

till_on_a_node_test() ->
    {ok, _} = net_kernel:start([till, shortnames]),
    {ok, Peer, Node} = peer:start(#{name => branch}),
    ?assertEqual("EUR", rpc:call(Node, till, currency, [])),
    peer:stop(Peer).
