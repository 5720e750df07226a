%% The module `error_logger`: the older face of `logger`. Its event handlers are called by a manager of that name, which a first handler starts.
-module(error_logger).
-export([start/0, format/2, error_msg/1, error_msg/2, error_report/1, error_report/2, warning_msg/1, warning_msg/2, warning_report/1, warning_report/2,
         info_msg/1, info_msg/2, info_report/1, info_report/2, tty/1, logfile/1, warning_map/0, get_format_depth/0, limit_term/1,
         add_report_handler/1, add_report_handler/2, delete_report_handler/1, which_report_handlers/0, adding_handler/1, removing_handler/1,
         log/2]).

%% The manager of event handlers, if none has started it yet.
start() ->
    case whereis(?MODULE) of
        undefined ->
            case gen_event:start({local, ?MODULE}) of
                {ok, _} -> ok;
                {error, {already_started, _}} -> ok;
                Error -> Error
            end;
        _ -> ok
    end.

format(Format, Args) -> error_msg(Format, Args).

error_msg(Format) -> error_msg(Format, []).
error_msg(Format, Args) -> message(error, error_msg, Format, Args, error).

warning_msg(Format) -> warning_msg(Format, []).
warning_msg(Format, Args) -> message(warning, warning_msg, Format, Args, warning_msg).

info_msg(Format) -> info_msg(Format, []).
info_msg(Format, Args) -> message(notice, info_msg, Format, Args, info_msg).

message(Level, Label, Format, Args, Tag) ->
    logger:log(Level, #{label => {?MODULE, Label}, format => Format, args => Args},
               #{report_cb => fun report_to_format/1, error_logger => #{tag => Tag}}).

error_report(Report) -> error_report(std_error, Report).
error_report(Type, Report) -> report(error, error_report, std_error, Type, Report).

warning_report(Report) -> warning_report(std_warning, Report).
warning_report(Type, Report) -> report(warning, warning_report, std_warning, Type, Report).

info_report(Report) -> info_report(std_info, Report).
info_report(Type, Report) -> report(notice, info_report, std_info, Type, Report).

%% The default handler does not print reports of other types: they have a domain.
report(Level, Tag, Standard, Type, Report) ->
    Meta = #{report_cb => fun report_to_format/1, error_logger => #{tag => Tag, type => Type}},
    logger:log(Level, #{label => {?MODULE, Tag}, report => Report}, if Type =:= Standard -> Meta; true -> Meta#{domain => [Type]} end).

report_to_format(#{label := {?MODULE, _}, report := Report}) when is_map(Report) -> {"~tp\n", [Report]};
report_to_format(#{label := {?MODULE, _}, format := Format, args := Args}) ->
    try io_lib:format(Format, Args) of
        _ -> {Format, Args}
    catch _:_ -> {"ERROR: ~tp - ~tp", [Format, Args]}
    end;
report_to_format(Report) -> logger:format_otp_report(Report).

%% Standard error, where the default handler writes here, is not a terminal that could be turned off.
tty(Flag) when is_boolean(Flag) -> ok.

logfile(filename) -> {error, no_log_file};
logfile(close) -> {error, module_not_found};
logfile({open, _}) -> {error, enotsup}.

warning_map() -> warning.

get_format_depth() ->
    case application:get_env(kernel, error_logger_format_depth) of
        {ok, Depth} when is_integer(Depth) -> erlang:max(10, Depth);
        _ -> unlimited
    end.

limit_term(Term) ->
    case get_format_depth() of
        unlimited -> Term;
        Depth -> io_lib:limit_term(Term, Depth)
    end.

%% ---- event handlers -------------------------------------------------------------------------------------------------

add_report_handler(Module) -> add_report_handler(Module, []).

add_report_handler(Module, Args) when is_atom(Module) ->
    _ = logger:add_handler(?MODULE, ?MODULE, #{level => info, filter_default => log}),
    gen_event:add_handler(?MODULE, Module, Args).

delete_report_handler(Module) when is_atom(Module) ->
    case whereis(?MODULE) of
        undefined -> ok;
        _ ->
            Result = gen_event:delete_handler(?MODULE, Module, []),
            [_ = logger:remove_handler(?MODULE) || gen_event:which_handlers(?MODULE) =:= []],
            Result
    end.

which_report_handlers() ->
    case whereis(?MODULE) of
        undefined -> [];
        _ -> gen_event:which_handlers(?MODULE)
    end.

adding_handler(Config) ->
    case gen_event:start({local, ?MODULE}) of
        {ok, _} -> {ok, Config};
        {error, {already_started, _}} -> {ok, Config};
        Error -> Error
    end.

removing_handler(_) ->
    catch gen_event:stop(?MODULE, {shutdown, stopped}, infinity),
    ok.

log(#{msg := {report, Report}, meta := #{error_logger := #{tag := Tag, type := Type}} = Meta}, _) ->
    notify(Tag, Type, case Report of #{label := _, report := R} -> R; _ -> Report end, Meta);
log(#{msg := {report, #{label := _, format := Format, args := Args}}, meta := #{error_logger := #{tag := Tag}} = Meta}, _) ->
    notify(Tag, Format, Args, Meta);
log(#{msg := {report, Report}, meta := #{error_logger := #{tag := Tag} = Own} = Meta}, _) ->
    {Format, Args} = (maps:get(report_cb, Own, fun logger:format_report/1))(Report),
    notify(Tag, Format, Args, Meta);
log(#{msg := {Format, Args}, meta := #{error_logger := #{tag := Tag}} = Meta}, _) when is_list(Format), is_list(Args) ->
    notify(Tag, Format, Args, Meta);
log(_, _) -> ok.

notify(Tag, FormatOrType, ArgsOrReport, #{pid := Pid, gl := Leader}) ->
    gen_event:notify(?MODULE, {Tag, Leader, {Pid, FormatOrType, ArgsOrReport}}).
