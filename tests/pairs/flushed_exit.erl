%% A link is given up, and its message is taken for another one later: it is not flushed.
-module(flushed_exit).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive die -> ok end end),
    P ! die,
    unlink(P),
    receive {'EXIT', P, _} -> error(stale_exit) after 50 -> ok end.
