%% A message to a name that is registered too late: the failure is in the order of steps, not of messages.
-module(registered_late).
-export([main/0]).

main() ->
    Main = self(),
    spawn(fun() -> spin(50), register(server, self()), receive {ping, From} -> From ! pong end end),
    spawn(fun() -> spin(50), server ! {ping, Main} end),
    receive pong -> ok end.

spin(0) -> ok;
spin(N) -> spin(N - 1).
