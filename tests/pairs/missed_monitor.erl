%% The supervisor of a job takes `noproc` for a crash: the job can end before it is monitored. The fix: spawn_monitor.
-module(missed_monitor).
-export([main/0]).

main() ->
    Job = spawn(fun() -> ok end),
    Ref = watch(Job),
    receive
        {'DOWN', Ref, process, Job, normal} -> ok;
        {'DOWN', Ref, process, Job, Reason} -> error({job_failed, Reason})
    end.

watch(Pid) -> monitor(process, Pid).
