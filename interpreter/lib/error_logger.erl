%% The module `error_logger`: the older face of `logger`.
-module(error_logger).
-export([format/2, error_msg/1, error_msg/2, error_report/1, error_report/2, warning_msg/1, warning_msg/2, warning_report/1, warning_report/2,
         info_msg/1, info_msg/2, info_report/1, info_report/2, tty/1, logfile/1, warning_map/0, get_format_depth/0, limit_term/1]).

format(Format, Args) -> error_msg(Format, Args).

error_msg(Format) -> error_msg(Format, []).

error_msg(Format, Args) -> message(error, Format, Args, error).

warning_msg(Format) -> warning_msg(Format, []).

warning_msg(Format, Args) -> message(warning, Format, Args, warning_msg).

info_msg(Format) -> info_msg(Format, []).

info_msg(Format, Args) -> message(notice, Format, Args, info_msg).

message(Level, Format, Args, Tag) ->
    logger:log(Level, Format, Args, #{error_logger => #{tag => Tag}, logger_formatter => #{title => title(Level)}}).

title(error) -> "ERROR REPORT";
title(warning) -> "WARNING REPORT";
title(notice) -> "INFO REPORT".

error_report(Report) -> error_report(std_error, Report).

error_report(Type, Report) -> report(error, Type, Report, error_report).

warning_report(Report) -> warning_report(std_warning, Report).

warning_report(Type, Report) -> report(warning, Type, Report, warning_report).

info_report(Report) -> info_report(std_info, Report).

info_report(Type, Report) -> report(notice, Type, Report, info_report).

report(Level, Type, Report, Tag) ->
    logger:log(Level, #{label => {?MODULE, Tag}, report => Report},
               #{error_logger => #{tag => Tag, type => Type}, report_cb => fun(#{report := R}, _) -> text(R) end,
                 logger_formatter => #{title => title(Level)}}).

text(Report) ->
    {Format, Args} = logger_formatter:'$format_report'(Report),
    io_lib:format(Format, Args).

tty(true) ->
    _ = logger:add_handler(default, logger_std_h, #{}),
    ok;
tty(false) ->
    _ = logger:remove_handler(default),
    ok.

logfile(_) -> {error, not_supported}.

warning_map() -> warning.

get_format_depth() -> unlimited.

limit_term(Term) -> Term.
