%% A port is no process.
-module(ports).
-export([main/0]).
main() ->
    Before = length(processes()),
    Port = open_port({spawn, "cat"}, []),
    io:format("~p ~p~n", [is_port(Port), length(processes()) - Before]),
    port_close(Port).
