%% A monitor that comes too late gets another reason.
-module(monitor_reason).
-export([main/0]).
main() ->
    P = spawn(fun() -> receive stop -> exit(done) end end),
    spawn(fun() -> P ! stop end),
    Ref = monitor(process, P),
    receive {'DOWN', Ref, process, _, Reason} -> done = Reason end.
