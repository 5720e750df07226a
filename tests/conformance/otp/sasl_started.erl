%% SASL and runtime_tools start their processes.
-module(sasl_started).
-export([main/0]).

main() ->
    io:format("~p~n", [[whereis(N) || N <- [sasl_sup, sasl_safe_sup, alarm_handler, runtime_tools_sup]]]),
    io:format("~p~n", [[application:ensure_all_started(A) || A <- [sasl, runtime_tools]]]),
    io:format("~p~n", [[is_pid(whereis(N)) || N <- [sasl_sup, sasl_safe_sup, alarm_handler, runtime_tools_sup]]]),
    io:format("~p~n", [[{N, element(2, application:get_key(A, N))} || A <- [sasl, runtime_tools], N <- [description, vsn, registered, applications, mod]]]),
    logger:set_primary_config(level, none),
    io:format("~p~n", [alarm_handler:get_alarms()]),
    alarm_handler:set_alarm({disk, full}),
    alarm_handler:set_alarm({memory, high}),
    io:format("~p~n", [alarm_handler:get_alarms()]),
    alarm_handler:clear_alarm(disk),
    io:format("~p~n", [alarm_handler:get_alarms()]),
    io:format("~p~n", [gen_event:which_handlers(alarm_handler)]),
    io:format("~p~n", [gen_event:call(alarm_handler, alarm_handler, else)]),
    io:format("~p~n", [[{Id, Type, Modules} || {Id, _, Type, Modules} <- supervisor:which_children(sasl_safe_sup)]]),
    exit(whereis(alarm_handler), kill),
    timer:sleep(50),
    io:format("~p~n", [{is_pid(whereis(alarm_handler)), alarm_handler:get_alarms()}]),
    io:format("~p~n", [application:stop(sasl)]),
    io:format("~p~n", [whereis(alarm_handler)]).
