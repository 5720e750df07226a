%% The message that had come before the link was given up is taken.
-module(flushed_exit).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive die -> ok end end),
    P ! die,
    unlink(P),
    receive {'EXIT', P, _} -> ok after 0 -> ok end,
    receive {'EXIT', P, _} -> error(stale_exit) after 50 -> ok end.
