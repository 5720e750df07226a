%% A worker notes that it is busy and removes the note when it is done. One is killed in between: nobody removes its note.
%% Cause: no race. The row of job c (line 24) was never removed, as its worker was killed at line 16; the others removed theirs at line 26.
-module(still_busy).
-export([main/0]).

main() ->
    busy = ets:new(busy, [named_table, public]),
    Main = self(),
    Jobs = [a, b, c],
    Pids = [spawn(fun() -> work(Job, Main) end) || Job <- Jobs],
    [receive {began, Pid} -> ok end || Pid <- Pids],
    [A, B, C] = Pids,
    Ref = monitor(process, C),
    [Pid ! go || Pid <- [A, B]],
    [receive {done, Pid} -> ok end || Pid <- [A, B]],
    exit(C, kill),
    receive {'DOWN', Ref, process, C, _} -> ok end,
    case ets:lookup(busy, c) of
        [] -> ok;
        [{c, _}] -> error({still_busy, c})
    end.

work(Job, Main) ->
    ets:insert(busy, {Job, self()}), Main ! {began, self()},
    receive go -> ok end,
    ets:delete(busy, Job),
    Main ! {done, self()}.
