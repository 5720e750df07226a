%% A process looks for a name that another one registers only after some work.
-module(early_look).
-export([main/0]).
main() ->
    Me = self(),
    Server = spawn(fun() -> busy(3000000), register(server, self()), receive {ask, From} -> From ! answer end end),
    spawn(fun() -> Me ! whereis(server) end),
    Seen = receive undefined -> early; _ -> late end,
    Server ! {ask, self()},
    receive answer -> Seen end.
busy(0) -> ok;
busy(N) -> busy(N - 1).
