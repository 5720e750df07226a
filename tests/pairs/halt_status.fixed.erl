%% The program halts with the status of whoever is first.
-module(halt_status).
-export([main/0]).

main() ->
    Main = self(),
    spawn(fun() -> Main ! {status, 0} end),
    spawn(fun() -> Main ! {status, 3} end),
    receive {status, 0} -> halt(0) end.
