%% Three processes put four keys each into a table with open addressing. The slot is looked at and then taken: two can take the same.
-module(indexer).
-export([main/0]).
main() ->
    T = ets:new(t, [public]),
    Refs = [element(2, spawn_monitor(fun() -> [put(T, (7 * P + 3 * K) rem 16, {P, K}) || K <- [1, 2, 3, 4]] end)) || P <- [1, 2, 3]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs],
    12 = length(ets:tab2list(T)).
put(T, Slot, Key) ->
    case ets:lookup(T, Slot) of
        [] -> ets:insert(T, {Slot, Key});
        _ -> put(T, (Slot + 1) rem 16, Key)
    end.
