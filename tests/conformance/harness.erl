%% Runs one program's main/0 under Erlang/OTP the way `tracer run` does: its
%% standard output is the program's alone, reports go to standard error, and the
%% exit status is 0, 1 for a crash, or the program's own halt.
-module(harness).
-export([run/1]).

run([Name]) ->
    {Pid, Ref} = spawn_monitor(Name, main, []),
    receive
        {'DOWN', Ref, process, Pid, normal} -> flush(0);
        {'DOWN', Ref, process, Pid, _Reason} -> flush(1)
    end.

%% Lets the logger write its reports, which are on their way, before the system stops: both processes that a report
%% goes through have answered after it.
flush(Status) ->
    timer:sleep(20),
    _ = sys:get_state(logger_proxy),
    _ = catch logger_std_h:filesync(default),
    halt(Status).
