%% Kills a process and takes its name at once: it may not be gone yet.
-module(killreuse).
-export([main/0]).

main() ->
    start(worker),
    Other = spawn_link(fun() -> busy(50) end),
    replace(worker),
    replace(worker),
    worker ! {ping, self()},
    receive pong -> io:format("~w~n", [is_pid(Other)]) end.

busy(0) -> ok;
busy(N) -> self() ! N, receive N -> busy(N - 1) end.

start(Name) ->
    Pid = spawn(fun() -> loop() end),
    register(Name, Pid).

replace(Name) ->
    Pid = whereis(Name),
    Ref = monitor(process, Pid),
    exit(Pid, kill),
    receive {'DOWN', Ref, process, Pid, _} -> ok end,
    start(Name).

loop() ->
    receive {ping, From} -> From ! pong, loop() end.
