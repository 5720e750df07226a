%% A counter is deleted between two uses. One process also reads the clock; its value goes nowhere.
%% Cause: the update of add/0 (line 17) comes between the update and the delete of del/0.
-module(clock_goes_nowhere).
-export([main/0]).

main() ->
    ets:new(c, [named_table, public]),
    ets:insert(c, {n, 1}),
    Rs = [element(2, spawn_monitor(F)) || F <- [fun del/0, fun add/0]],
    [receive {'DOWN', R, process, _, normal} -> ok end || R <- Rs],
    [{n, 1}] = ets:lookup(c, n).

add() ->
    _ = erlang:monotonic_time(),
    ets:update_counter(c, n, 1, {n, 0}).

del() ->
    case ets:update_counter(c, n, -1) of
        0 -> ets:delete(c, n);
        _ -> ok
    end.
