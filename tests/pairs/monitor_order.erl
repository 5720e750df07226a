%% A worker is told to go before it is monitored: its crash is seen as `noproc`. The fix monitors first.
-module(monitor_order).
-export([main/0]).

main() ->
    Worker = spawn(fun() -> receive go -> exit(done) end end),
    Ref = start(Worker),
    receive {'DOWN', Ref, process, Worker, done} -> ok;
            {'DOWN', Ref, process, Worker, Other} -> error({lost_reason, Other})
    end.

start(Worker) ->
    Worker ! go,
    watch(Worker).

watch(Pid) -> monitor(process, Pid).
