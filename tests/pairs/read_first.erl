%% A server with a value: one client writes it, main reads it, sometimes too early.
-module(read_first).
-export([main/0]).
main() ->
    S = spawn_link(fun() -> server(0) end),
    Self = self(),
    spawn_link(fun() -> S ! {set, 1}, Self ! done end),
    receive done -> ok end,
    S ! {get, self()},
    receive {val, 1} -> ok; {val, X} -> error({too_early, X}) end.

server(V) ->
    receive
        {set, N} -> server(N);
        {get, From} -> From ! {val, V}, server(V)
    end.
