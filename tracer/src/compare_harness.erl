%% Runs one program under Erlang/OTP the way `tracer run` does: its standard output is the program's alone, reports go to standard error,
%% and the exit status is 0, 1 for a crash, or the program's own halt.
-module(tracer_compare_harness).
-export([run/1]).

run([Module, Function]) ->
    {module, Module} = code:ensure_loaded(Module),
    Arguments = init:get_plain_arguments(),
    Call = case Arguments =:= [] andalso erlang:function_exported(Module, Function, 0) of
        true -> [];
        false -> [Arguments]
    end,
    {Pid, Ref} = spawn_monitor(Module, Function, Call),
    receive
        {'DOWN', Ref, process, Pid, normal} -> flush(0);
        {'DOWN', Ref, process, Pid, _Reason} -> flush(1)
    end.

%% Lets the logger write its reports, which are on their way, before the system stops.
flush(Status) ->
    timer:sleep(20),
    _ = sys:get_state(logger_proxy),
    logger_std_h:filesync(default),
    halt(Status).
