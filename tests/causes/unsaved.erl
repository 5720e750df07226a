%% Each of three collectors writes its row when it is told to finish. One is ended by the janitor with `shutdown` before that: always, before any is told.
%% Cause: no race. 0.5.0 (west) was ended by the exit signal of the janitor (line 24), so it never came to line 31, where the others wrote their rows.
-module(unsaved).
-export([main/0]).

main() ->
    rows = ets:new(rows, [named_table, public]),
    Main = self(),
    Janitor = spawn_link(fun() -> janitor(Main) end),
    Pids = [spawn(fun() -> collector(Name, Main) end) || Name <- [north, south, west]],
    [receive {ready, Pid} -> ok end || Pid <- Pids],
    [_, _, West] = Pids,
    Ref = monitor(process, West),
    Janitor ! {sweep, West},
    receive {swept, West} -> ok end,
    receive {'DOWN', Ref, process, West, _} -> ok end,
    [Pid ! finish || Pid <- Pids],
    [receive {finished, Pid} -> ok end || Pid <- Pids, Pid =/= West],
    [{_, _}] = ets:lookup(rows, west),
    ok.

janitor(Main) ->
    receive
        {sweep, Pid} -> exit(Pid, shutdown), Main ! {swept, Pid}
    end,
    janitor(Main).

collector(Name, Main) ->
    Main ! {ready, self()},
    receive
        finish -> ets:insert(rows, {Name, erlang:phash2(Name)}), Main ! {finished, self()}
    end.
