%% error_logger, the older face of the logger.
-module(error_logger_calls).
-export([main/0]).

main() ->
    error_logger:error_msg("message"),
    error_logger:error_msg("message ~p~n", [x]),
    error_logger:format("message ~p", [{a, b}]),
    error_logger:warning_msg("warning ~p~n", [x]),
    error_logger:info_msg("info ~p~n", [x]),
    error_logger:info_msg("no arguments"),
    error_logger:error_report([{tag, value}, {text, "text"}, atom]),
    error_logger:error_report("a string"),
    error_logger:error_report({a, tuple}),
    error_logger:error_report(an_atom),
    error_logger:error_report(my_type, [{tag, value}]),
    error_logger:warning_report([{tag, value}]),
    error_logger:warning_report(my_type, "text"),
    error_logger:info_report([{tag, value}, {list, lists:seq(1, 50)}]),
    error_logger:info_report(progress, [{tag, value}]),
    error_logger:info_report(crash_report, [{tag, value}]),
    error_logger:error_report([]),
    error_logger:error_msg("~p ~p", [one]),
    error_logger:error_msg("bad", one),
    error_logger:error_report(#{a => 1}),
    error_logger:error_report([{"text key", 1}, {{t}, "zażółć"}]),
    io:format("~p~n", [error_logger:warning_map()]),
    error_logger:tty(false),
    error_logger:error_msg("not seen"),
    done.
