%% A process links to another one and then traps exits. It dies if the other one ends in between.
-module(link_trap).
-export([main/0]).
main() ->
    {P, Ref} = spawn_monitor(fun() ->
        Other = spawn_link(fun() -> exit(crash) end),
        process_flag(trap_exit, true),
        receive {'EXIT', Other, crash} -> ok end
    end),
    receive {'DOWN', Ref, process, P, Reason} -> normal = Reason end.
