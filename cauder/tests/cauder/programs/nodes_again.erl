%% A node is started, started again, and stopped.
-module(nodes_again).
-export([main/0]).
main() ->
    Before = nodes(),
    {ok, Node} = slave:start(vm, fixture_other),
    {error, {already_running, Node}} = slave:start(vm, fixture_other),
    self() ! here,
    receive here -> ok end,
    There = nodes(),
    ok = slave:stop(Node),
    {Before, There =:= [Node], nodes()}.
