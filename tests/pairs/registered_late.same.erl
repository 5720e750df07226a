%% The same with another name.
-module(registered_late).
-export([main/0]).

main() ->
    Main = self(),
    spawn(fun() -> spin(50), register(service, self()), receive {ping, From} -> From ! pong end end),
    spawn(fun() -> spin(50), service ! {ping, Main} end),
    receive pong -> ok end.

spin(0) -> ok;
spin(N) -> spin(N - 1).
