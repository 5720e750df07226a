%% Each shelf server writes a count of its goods; one that has none ends without writing.
%% Cause: no race. The shelf of toys had an empty list and ended at line 19 without writing its row at line 21, as the others did.
-module(empty_cart).
-export([main/0]).

main() ->
    counts = ets:new(counts, [named_table, public]),
    Goods = [{books, [a, b]}, {toys, []}, {tools, [c]}],
    Pids = [spawn_monitor(fun() -> shelf() end) || _ <- Goods],
    [Pid ! {count, Shelf, List} || {{Pid, _}, {Shelf, List}} <- lists:zip(Pids, Goods)],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Pids],
    [total(Shelf) || {Shelf, _} <- Goods].

total(Shelf) ->
    [{_, N}] = ets:lookup(counts, Shelf),
    N.

shelf() ->
    receive
        {count, _, []} -> ok;
        {count, Shelf, List} ->
            ets:insert(counts, {Shelf, length(List)})
    end.
