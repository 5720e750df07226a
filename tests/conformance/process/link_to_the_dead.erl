%% link to a process that has ended: an error, or a message for a process that traps exits; to one on a node that is not there always a signal.
-module(link_to_the_dead).
-export([main/0]).

main() ->
    {D, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> ok end,
    ends(caught, fun() -> show(catch link(D)), show(process_info(self(), links)), receive _ -> unexpected after 20 -> alive end end),
    ends(fails, fun() -> link(D), never end),
    ends(in_try, fun() -> try link(D) catch C:E:S -> [{M, F, A, _} | _] = S, {C, E, M, F, length(A)} end end),
    ends(traps, fun() -> process_flag(trap_exit, true), show(link(D)), receive {'EXIT', D, W} -> W end end),
    ends(traps_twice, fun() -> process_flag(trap_exit, true), link(D), link(D), [receive {'EXIT', D, W} -> W end || _ <- [1, 2]] end),
    ends(traps_no_more, fun() -> process_flag(trap_exit, true), link(D), process_flag(trap_exit, false), show(catch link(D)), receive {'EXIT', D, W} -> W end end),
    ends(unlinked, fun() -> process_flag(trap_exit, true), link(D), unlink(D), receive {'EXIT', D, W} -> W after 20 -> none end end),
    ends(linked_before, fun() ->
        P = spawn_link(fun() -> receive stop -> ok end end),
        M = monitor(process, P), P ! stop,
        receive {'DOWN', M, _, _, _} -> ok end,
        show(catch link(P))
    end),
    ends(itself, fun() -> link(self()) end),
    ends(no_pid, fun() -> link(nobody) end).

ends(Name, Fun) ->
    {P, R} = spawn_monitor(fun() -> exit({done, Fun()}) end),
    receive
        {'DOWN', R, _, P, {Reason, [{_, _, _, _} | _]}} -> io:format("~w: ~p with a stack~n", [Name, Reason]);
        {'DOWN', R, _, P, Reason} -> io:format("~w: ~p~n", [Name, Reason])
    end.

show({'EXIT', {Reason, [{M, F, [_], _} | _]}}) -> io:format("  ~p in ~p:~p~n", [Reason, M, F]);
show(X) -> io:format("  ~p~n", [X]).
