%% A process ends with a reason that its parent waits for, and then the parent fails by itself.
%% Cause: the assertion of the parent is wrong; the end of the other process was awaited.
-module(awaited_end).
-export([main/0]).

main() ->
    {Child, Monitor} = spawn_monitor(fun() -> exit(enough) end),
    receive
        {'DOWN', Monitor, process, Child, enough} -> ok
    end,
    1 = length([]).
