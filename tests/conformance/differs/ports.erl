%% Ports.
-module(ports).
-export([main/0]).
main() -> io:format("~p~n", [try is_port(open_port({spawn, "true"}, [])) catch error:undef -> undef end]).
