%% A watcher asks by name whether the line is up. The line is replaced under the same name, and the watcher is to notice that.
%% Cause: the old line answered the watcher before it was killed.
-module(same_name).
-export([main/0]).

main() ->
    Main = self(),
    Keeper = spawn(fun() -> keeper(Main) end),
    receive {up, 1} -> ok end,
    Watcher = spawn(fun() -> watcher(Main) end),
    Keeper ! {replace, self()},
    Watcher ! look,
    receive replaced -> ok end,
    receive noticed -> ok end.

keeper(Main) ->
    start(1, Main),
    receive {replace, From} -> ok end,
    Old = whereis(line),
    Ref = monitor(process, Old),
    exit(Old, kill),
    receive {'DOWN', Ref, process, Old, _} -> ok end,
    start(2, Main),
    From ! replaced.

start(N, Main) ->
    register(line, spawn(fun() -> line(N) end)),
    Main ! {up, N}.

line(N) ->
    receive {ring, From} -> From ! {rung, N}, line(N) end.

watcher(Main) ->
    receive look -> ok end,
    case whereis(line) of
        undefined ->
            Main ! noticed;
        Line ->
            Ref = monitor(process, Line),
            Line ! {ring, self()},
            receive
                {rung, 1} -> ok;
                {rung, 2} -> Main ! noticed;
                {'DOWN', Ref, process, _, _} -> Main ! noticed
            end
    end.
