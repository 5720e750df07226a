%% Sockets.
-module(sockets).
-export([main/0]).
main() -> io:format("~p~n", [try element(1, gen_tcp:listen(0, [])) catch error:undef -> undef end]).
