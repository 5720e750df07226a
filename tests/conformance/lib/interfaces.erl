%% The network interfaces of this machine: their shape.
-module(interfaces).
-export([main/0]).

main() ->
    {ok, All} = inet:getifaddrs(),
    {"lo", Lo} = lists:keyfind("lo", 1, All),
    io:format("~p~n", [lists:member(loopback, proplists:get_value(flags, Lo))]),
    io:format("~p ~p~n", [lists:member({addr, {127, 0, 0, 1}}, Lo), proplists:get_value(hwaddr, Lo)]),
    io:format("~p~n", [lists:usort([Key || {_, Options} <- All, {Key, _} <- Options, not lists:member(Key, [addr, broadaddr, dstaddr, flags, hwaddr, netmask])])]).
