%% exit/2 to others, to trapping ones, kill against trap, links in a chain.
-module(exit_signals).
-export([main/0]).

main() ->
    process_flag(trap_exit, true), T = fun(Reason, Trap) -> Me = self(), P = spawn_link(fun() -> process_flag(trap_exit, Trap), Me ! ready, receive {'EXIT', From, R} when From =:= Me -> exit({saw, R}) after 200 -> exit(survived) end end), receive ready -> ok end, exit(P, Reason), receive {'EXIT', P, W} -> W end end,
    [io:format("~w ~w: ~w~n", [R, Trap, T(R, Trap)]) || R <- [normal, kill, other, {a, b}], Trap <- [false, true]],
    Chain = spawn_link(fun() -> chain(5) end), receive {'EXIT', Chain, W} -> io:format("~w~n", [W]) end,
    P1 = spawn(fun() -> receive x -> ok end end), M = monitor(process, P1), link(P1), unlink(P1), exit(P1, z), receive {'DOWN', M, _, _, R2} -> io:format("~w~n", [R2]) end, receive {'EXIT', P1, _} -> io:format("wrong~n") after 10 -> io:format("unlinked in time~n") end,
    io:format("~w~n", [exit(P1, again)]).
chain(0) -> exit(end_of_chain);
chain(N) -> spawn_link(fun() -> chain(N - 1) end), receive never -> ok end.
