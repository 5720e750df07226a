%% Sockets of UDP.
-module(sockets).
-export([main/0]).
main() -> io:format("~p~n", [try element(1, gen_udp:open(0, [])) catch error:undef -> undef end]).
