%% The supervisor of a job takes `noproc` for a crash: the job can end before it is monitored. The fix: spawn_monitor.
-module(missed_monitor).
-export([main/0]).

main() ->
    {Job, Ref} = spawn_monitor(fun() -> ok end),
    receive
        {'DOWN', Ref, process, Job, normal} -> ok;
        {'DOWN', Ref, process, Job, Reason} -> error({job_failed, Reason})
    end.
