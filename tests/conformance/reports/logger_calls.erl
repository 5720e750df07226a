%% logger: levels, formats, reports, metadata, configuration.
-module(logger_calls).
-export([main/0, cb/1, cb2/2, keep/2, format/2, log/2, adding_handler/1, removing_handler/1]).
-include_lib("kernel/include/logger.hrl").

main() ->
    [logger:Level("text at ~p") || Level <- levels()],
    [logger:Level("text at ~p", [Level]) || Level <- levels()],
    [logger:Level(#{what => Level, list => [1, 2]}) || Level <- [error, notice, info]],
    [logger:Level([{what, Level}, {text, "some text"}]) || Level <- [error, warning]],
    logger:error("with metadata", #{my_key => 1}),
    logger:error("with args ~s and metadata", ["x"], #{my_key => 1}),
    logger:error(fun(X) -> {"from a fun ~p", [X]} end, arg),
    logger:error(fun(X) -> #{from => X} end, a_fun),
    logger:debug(fun(_) -> io:format("evaluated~n"), {"never", []} end, arg),
    logger:log(error, "log ~p", [x]),
    logger:log(info, "not seen"),
    ?LOG_ERROR("macro"),
    ?LOG_ERROR("macro ~p", [with_args]),
    ?LOG_WARNING(#{macro => report}),
    ?LOG_INFO("not seen"),
    ?LOG(critical, "macro ~ts", ["level"]),
    %% Formats that do not fit.
    logger:error("~p ~p", [one]),
    {'EXIT', {function_clause, _}} = (catch logger:error("~p", one)),
    logger:error("~q", [one]),
    logger:error("unicode: ~ts", ["zażółć"]),
    logger:error("latin1: é ~s", ["é"]),
    logger:error("two~nlines~n"),
    logger:error(""),
    logger:error(["io", $l, <<"ist">>]),
    logger:error(<<"binary">>),
    logger:error(lists:seq(1, 100)),
    catch logger:error(an_atom),
    catch logger:error({a, tuple}),
    logger:error([]),
    logger:error([{a, "b"}, c, {"d", e}, {f, lists:seq(1, 60)}]),
    logger:error(#{a => #{b => c}, "text" => <<"value">>, {t} => lists:seq(1, 60)}),
    %% Callbacks of reports.
    logger:error(#{a => 1}, #{report_cb => fun ?MODULE:cb/1}),
    logger:error(#{a => 1}, #{report_cb => fun ?MODULE:cb2/2}),
    logger:error(#{a => bad}, #{report_cb => fun ?MODULE:cb/1}),
    logger:error(#{a => crash}, #{report_cb => fun ?MODULE:cb/1}),
    %% The primary configuration.
    io:format("~p~n", [logger:get_primary_config()]),
    ok = logger:set_primary_config(level, info),
    logger:info("info is seen"),
    logger:debug("not seen"),
    io:format("~p~n", [logger:allow(info, ?MODULE)]),
    ok = logger:set_primary_config(level, debug),
    logger:debug("debug is seen"),
    ok = logger:set_primary_config(level, all),
    ok = logger:set_primary_config(level, error),
    logger:warning("not seen"),
    io:format("~p~n", [logger:set_primary_config(level, nonsense)]),
    io:format("~p~n", [logger:set_primary_config(nonsense, 1)]),
    io:format("~p~n", [logger:set_primary_config(#{level => nonsense})]),
    ok = logger:set_primary_config(level, none),
    logger:emergency("not seen"),
    spawn_monitor(fun() -> error(not_seen) end),
    receive {'DOWN', _, _, _, _} -> ok end,
    timer:sleep(5),
    ok = logger:set_primary_config(level, notice),
    ok = logger:set_module_level(?MODULE, debug),
    ?LOG_DEBUG("seen by module level"),
    logger:debug("no location, not seen"),
    io:format("~p~n", [logger:get_module_level()]),
    ok = logger:unset_module_level(?MODULE),
    ?LOG_DEBUG("not seen"),
    %% Filters.
    ok = logger:add_primary_filter(mine, {fun ?MODULE:keep/2, secret}),
    io:format("~p~n", [logger:add_primary_filter(mine, {fun ?MODULE:keep/2, secret})]),
    logger:error("a secret"),
    logger:error("no matter"),
    ok = logger:remove_primary_filter(mine),
    io:format("~p~n", [logger:remove_primary_filter(mine)]),
    ok = logger:add_handler_filter(default, mine, {fun ?MODULE:keep/2, secret}),
    logger:error("a secret"),
    ok = logger:remove_handler_filter(default, mine),
    ok = logger:set_handler_config(default, level, error),
    logger:warning("not seen"),
    ok = logger:set_handler_config(default, level, all),
    %% The formatter.
    {ok, #{formatter := {logger_formatter, F}}} = logger:get_handler_config(default),
    io:format("~p~n", [F]),
    ok = logger:set_handler_config(default, formatter, {logger_formatter, #{template => [level, ": ", msg, "\n"]}}),
    logger:error("templated ~p", [#{a => 1}]),
    logger:error(#{templated => report, list => [1, 2, 3]}),
    logger:error("with~nlines"),
    ok = logger:set_handler_config(default, formatter, {logger_formatter, #{single_line => false, template => [level, " ", pid_, mykey, {mykey, ["[", mykey, "]"], ["none"]}, " ", msg, "\n"]}}),
    logger:error("with~nlines"),
    logger:error("meta", #{mykey => {a, 1}}),
    ok = logger:update_formatter_config(default, max_size, 20),
    logger:error("a text that is longer than twenty characters"),
    ok = logger:set_handler_config(default, formatter, {logger_formatter, #{depth => 5, chars_limit => 60, template => [msg, "\n"]}}),
    logger:error("~p", [lists:seq(1, 100)]),
    logger:error("~p", [{a, [b, [c, [d, [e, [f]]]]]}]),
    ok = logger:set_handler_config(default, formatter, {?MODULE, #{}}),
    logger:error("by our own formatter"),
    ok = logger:set_handler_config(default, formatter, {logger_formatter, #{legacy_header => true, single_line => false}}),
    %% Handlers.
    ok = logger:add_handler(mine, ?MODULE, #{config => #{to => self()}, level => warning}),
    io:format("~p~n", [logger:add_handler(mine, ?MODULE, #{})]),
    io:format("~p~n", [logger:get_handler_ids()]),
    logger:warning("to both"),
    logger:notice("to one"),
    ok = logger:remove_handler(mine),
    io:format("~p~n", [logger:remove_handler(mine)]),
    ok = logger:remove_handler(default),
    logger:error("not seen"),
    io:format("~p~n", [logger:get_handler_ids()]),
    %% Metadata of the process.
    io:format("~p~n", [logger:get_process_metadata()]),
    ok = logger:set_process_metadata(#{a => 1}),
    ok = logger:update_process_metadata(#{b => 2}),
    io:format("~p~n", [logger:get_process_metadata()]),
    ok = logger:unset_process_metadata(),
    io:format("~p ~p ~p~n", [logger:compare_levels(error, info), logger:compare_levels(info, info), logger:compare_levels(debug, error)]),
    io:format("~p~n", [logger:get_handler_config(no_such)]),
    done.

levels() -> [emergency, alert, critical, error, warning, notice, info, debug].

cb(#{a := bad}) -> not_a_format;
cb(#{a := crash}) -> error(in_callback);
cb(#{a := A}) -> {"the a is ~p", [A]}.

cb2(#{a := A}, #{single_line := Single}) -> io_lib:format("the a is ~p, ~p", [A, Single]).

keep(#{msg := {string, "a " ++ Rest}}, What) -> case atom_to_list(What) of Rest -> stop; _ -> ignore end;
keep(_, _) -> ignore.

format(#{level := Level, msg := {string, S}}, _) -> io_lib:format("<~p> ~s~n", [Level, S]).

adding_handler(Config) -> io:format("adding ~p~n", [maps:get(id, Config)]), {ok, Config}.
removing_handler(Config) -> io:format("removing ~p~n", [maps:get(id, Config)]), ok.
log(#{level := Level, msg := Msg, meta := Meta}, #{config := #{to := To}}) ->
    Kind = case Msg of {string, S} -> S; {report, R} -> maps:get(label, R, none); {F, _} -> F end,
    io:format("handled ~p ~p ~p ~p~n", [Level, Kind, lists:sort(maps:keys(Meta)), is_pid(To)]).
