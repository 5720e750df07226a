%% A baker is told to clean up before he goes home, and is then sent home.
%% Cause: the exit signal came right after the baker had taken the message `clean`, before he trapped exits.
-module(too_soon).
-export([main/0]).

main() ->
    Shop = self(),
    {Baker, Gone} = spawn_monitor(fun() -> baker(Shop) end),
    Baker ! clean,
    exit(Baker, shutdown),
    receive {'DOWN', Gone, process, Baker, _} -> ok end,
    receive cleaned -> ok after 0 -> exit(dirty) end.

baker(Shop) ->
    receive clean -> ok end,
    process_flag(trap_exit, true),
    receive {'EXIT', _, shutdown} -> Shop ! cleaned end.
