-module(logger_tour).
-export([main/0, log/2]).
-include_lib("kernel/include/logger.hrl").
log(#{level := L, msg := M, meta := Meta}, #{config := Pid}) -> Pid ! {log, L, M, maps:with([mfa, tag], Meta)}.
get_log() -> receive {log, L, M, Me} -> {L, M, Me} after 100 -> none end.
main() ->
    logger:set_primary_config(level, all),
    io:format("~p~n", [logger:add_handler(mine, ?MODULE, #{level => info, config => self()})]),
    logger:set_primary_config(level, none),
    ?LOG_INFO("hello ~p", [1]), io:format("~p~n", [get_log()]),
    ?LOG_DEBUG("no"), io:format("~p~n", [get_log()]),
    ?LOG_ERROR(#{a => 1}, #{tag => t}), io:format("~p~n", [get_log()]),
    logger:warning("w"), io:format("~p~n", [get_log()]),
    logger:log(notice, "n ~s", ["x"], #{tag => u}), io:format("~p~n", [get_log()]),
    logger:set_process_metadata(#{tag => proc}), logger:info(#{k => v}), io:format("~p~n", [get_log()]),
    io:format("~p~n", [logger:get_process_metadata()]),
    error_logger:error_msg("old ~p", [x]), io:format("~p~n", [get_log()]),
    error_logger:info_report([{a, 1}]), io:format("~p~n", [get_log()]),
    logger:add_primary_filter(f, {fun(#{msg := {string, "drop"}}, _) -> stop; (E, _) -> E end, x}),
    logger:error("drop"), io:format("~p~n", [get_log()]),
    logger:error("keep"), io:format("~p~n", [get_log()]),
    logger:set_module_level(?MODULE, error), ?LOG_INFO("mod"), io:format("~p~n", [get_log()]),
    io:format("~p~n", [logger:get_module_level(?MODULE)]), logger:unset_module_level(?MODULE),
    io:format("~p~n", [logger:compare_levels(error, info)]),
    {ok, C} = logger:get_handler_config(mine), io:format("~p~n", [maps:with([id, level, module], C)]),
    io:format("~p~n", [logger:get_handler_ids()]),
    logger:set_handler_config(mine, level, error), logger:warning("x"), io:format("~p~n", [get_log()]),
    F = logger_formatter:format(#{level => info, msg => {"a ~p", [b]}, meta => #{time => 0, pid => self()}}, #{template => [level, ": ", msg, "\n"]}),
    io:format("~s", [F]),
    F2 = logger_formatter:format(#{level => error, msg => {report, #{a => 1, b => "x"}}, meta => #{time => 0, mfa => {m, f, 1}}}, #{template => [level, " ", {mfa, [mfa], ["nomfa"]}, " ", msg], single_line => true}),
    io:format("~s~n", [F2]),
    proc_lib:spawn(fun() -> exit(oops) end), 
    {L, {report, R}, _} = get_log(), io:format("~p ~p~n", [L, maps:get(label, R)]),
    logger:set_primary_config(level, none), logger:emergency("e"), io:format("~p~n", [get_log()]).
