%% Writer I puts 1 more than its neighbour has. A reader looks for the last zero, from the end. It fails if it finds the first cell only.
-module(last_zero).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    [ets:insert(T, {I, 0}) || I <- lists:seq(0, 3)],
    Refs = [element(2, spawn_monitor(fun() -> ets:insert(T, {I, ets:lookup_element(T, I - 1, 2) + 1}) end)) || I <- [1, 2, 3]],
    {_, R} = spawn_monitor(fun() -> exit({last, last(T, 3)}) end),
    receive {'DOWN', R, process, _, {last, L}} -> true = L > 0 end,
    [receive {'DOWN', Ref, process, _, _} -> ok end || Ref <- Refs].
last(T, I) -> case ets:lookup_element(T, I, 2) of 0 -> I; _ -> last(T, I - 1) end.
