%% A supervisor forgets to trap exits.
-module(trap_forgotten).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    spawn_link(fun() -> receive after 0 -> ok end, exit(crash) end),
    receive {'EXIT', _, crash} -> ok after 100 -> ok end.
