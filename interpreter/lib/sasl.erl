%% The application SASL: its supervisors, with the alarm handler. There is no release handler (docs/limitations.md).
-module(sasl).
-behaviour(application).
-behaviour(supervisor).
-export([start/2, stop/1, init/1]).

start(_, []) ->
    case application:get_env(sasl, error_logger_mf_dir) of
        {ok, Dir} when Dir =/= false -> erlang:error({not_supported, {sasl, error_logger_mf_dir, Dir}});
        _ -> ok
    end,
    Added = add_handler(application:get_env(kernel, logger_sasl_compatible)),
    case supervisor:start_link({local, sasl_sup}, sasl, []) of
        {ok, Pid} -> {ok, Pid, Added};
        Error -> Error
    end.

stop(true) ->
    _ = logger:remove_handler(sasl),
    ok;
stop(false) -> ok.

init([]) ->
    Safe = {sasl_safe_sup, {supervisor, start_link, [{local, sasl_safe_sup}, sasl, safe]}, permanent, infinity, supervisor, [sasl]},
    {ok, {{one_for_one, 0, 1}, [Safe]}};
init(safe) ->
    Handler = {alarm_handler, {alarm_handler, start_link, []}, permanent, 2000, worker, dynamic},
    {ok, {{one_for_one, 4, 3600}, [Handler]}}.

%% Reports of SASL get a handler of their own only where kernel is told to be compatible with OTP 20.
add_handler({ok, true}) ->
    case destination(application:get_env(sasl, sasl_error_logger)) of
        none -> false;
        Type ->
            Level = level(application:get_env(sasl, errlog_type)),
            Level =:= info andalso allow_progress(),
            ok = logger:add_handler(sasl, logger_std_h,
                                    #{level => Level, filter_default => stop,
                                      filters => [{remote_gl, {fun logger_filters:remote_gl/2, stop}},
                                                  {sasl_domain, {fun logger_filters:domain/2, {log, equal, [otp, sasl]}}}],
                                      config => #{type => Type},
                                      formatter => {logger_formatter, #{legacy_header => true, single_line => false}}}),
            true
    end;
add_handler(_) -> false.

destination({ok, false}) -> none;
destination({ok, tty}) -> standard_io;
destination({ok, {file, File} = To}) when is_list(File) -> To;
destination({ok, {file, File, Modes} = To}) when is_list(File), is_list(Modes) -> To;
destination({ok, Bad}) -> exit({bad_config, {sasl, {sasl_logger_dest, Bad}}});
destination(undefined) -> standard_io.

level({ok, error}) -> error;
level({ok, Type}) when Type =/= progress, Type =/= all -> exit({bad_config, {sasl, {errlog_type, Type}}});
level(_) -> info.

allow_progress() ->
    #{level := Primary} = logger:get_primary_config(),
    case logger:compare_levels(info, Primary) of
        lt -> logger:set_primary_config(level, info);
        _ -> ok
    end.
