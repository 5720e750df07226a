%% The module `logger`: levels, configuration, filters and handlers. The configuration of a node is one persistent term; the handlers run in the
%% process that logs. The default handler writes to standard error (docs/limitations.md).
-module(logger).
-export([emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3, critical/1, critical/2, critical/3, error/1, error/2, error/3,
         warning/1, warning/2, warning/3, notice/1, notice/2, notice/3, info/1, info/2, info/3, debug/1, debug/2, debug/3, log/2, log/3, log/4,
         allow/2, macro_log/3, macro_log/4, macro_log/5, compare_levels/2, get_primary_config/0, set_primary_config/1, set_primary_config/2,
         update_primary_config/1, set_module_level/2, unset_module_level/0, unset_module_level/1, get_module_level/0, get_module_level/1,
         set_application_level/2, unset_application_level/1, set_process_metadata/1, update_process_metadata/1, get_process_metadata/0,
         unset_process_metadata/0, set_handler_config/2, set_handler_config/3, update_handler_config/2, update_handler_config/3,
         update_formatter_config/2, update_formatter_config/3, get_handler_ids/0, get_handler_config/0, get_handler_config/1, get_config/0,
         add_handler/3, remove_handler/1, add_primary_filter/2, remove_primary_filter/1, add_handler_filter/3, remove_handler_filter/2,
         timestamp/0, format_report/1, format_otp_report/1, filter_stacktrace/2]).

emergency(X) -> log(emergency, X).
emergency(X, Y) -> log(emergency, X, Y).
emergency(X, Y, Z) -> log(emergency, X, Y, Z).
alert(X) -> log(alert, X).
alert(X, Y) -> log(alert, X, Y).
alert(X, Y, Z) -> log(alert, X, Y, Z).
critical(X) -> log(critical, X).
critical(X, Y) -> log(critical, X, Y).
critical(X, Y, Z) -> log(critical, X, Y, Z).
error(X) -> log(error, X).
error(X, Y) -> log(error, X, Y).
error(X, Y, Z) -> log(error, X, Y, Z).
warning(X) -> log(warning, X).
warning(X, Y) -> log(warning, X, Y).
warning(X, Y, Z) -> log(warning, X, Y, Z).
notice(X) -> log(notice, X).
notice(X, Y) -> log(notice, X, Y).
notice(X, Y, Z) -> log(notice, X, Y, Z).
info(X) -> log(info, X).
info(X, Y) -> log(info, X, Y).
info(X, Y, Z) -> log(info, X, Y, Z).
debug(X) -> log(debug, X).
debug(X, Y) -> log(debug, X, Y).
debug(X, Y, Z) -> log(debug, X, Y, Z).

%% log(Level, StringOrReport), (…, Metadata), (Format, Args), (Fun, FunArgs), each with metadata.
log(Level, StringOrReport) -> do_log(Level, StringOrReport, #{}).

log(Level, StringOrReport, Meta) when is_map(Meta), not is_function(StringOrReport, 1) -> do_log(Level, StringOrReport, Meta);
log(Level, FunOrFormat, Args) -> log(Level, FunOrFormat, Args, #{}).

log(Level, FunOrFormat, Args, Meta) -> do_log(Level, {FunOrFormat, Args}, Meta).

%% The macros ask for the level before they call these.
macro_log(Location, Level, StringOrReport) -> log_allowed(Level, StringOrReport, Location).

macro_log(Location, Level, StringOrReport, Meta) when is_map(Meta), not is_function(StringOrReport, 1) ->
    log_allowed(Level, StringOrReport, maps:merge(Location, Meta));
macro_log(Location, Level, FunOrFormat, Args) -> log_allowed(Level, {FunOrFormat, Args}, Location).

macro_log(Location, Level, FunOrFormat, Args, Meta) -> log_allowed(Level, {FunOrFormat, Args}, maps:merge(Location, Meta)).

timestamp() -> os:system_time(microsecond).

%% ---- levels ---------------------------------------------------------------------------------------------------------

-define(is_level(L), (L =:= emergency orelse L =:= alert orelse L =:= critical orelse L =:= error orelse L =:= warning orelse L =:= notice
                      orelse L =:= info orelse L =:= debug)).

number(none) -> -1;
number(emergency) -> 0;
number(alert) -> 1;
number(critical) -> 2;
number(error) -> 3;
number(warning) -> 4;
number(notice) -> 5;
number(info) -> 6;
number(debug) -> 7;
number(all) -> 10.

compare_levels(A, B) ->
    try {number(A), number(B)} of
        {N, N} -> eq;
        {N, M} when N < M -> gt;
        _ -> lt
    catch
        error:function_clause -> erlang:error(badarg, [A, B])
    end.

allow(Level, Module) when is_atom(Module) -> logger_config:allow(Level, Module).

level_of(Module, #{modules := Modules, primary := #{level := Level}}) ->
    case Modules of
        #{Module := Own} -> Own;
        #{} -> Level
    end.

set_module_level(Modules, Level) when is_list(Modules) ->
    case {lists:all(fun is_atom/1, Modules), is_configured_level(Level)} of
        {false, _} -> {error, {not_a_list_of_modules, Modules}};
        {_, false} -> {error, {invalid_level, Level}};
        _ ->
            Config = #{modules := Levels} = config(),
            set_config(Config#{modules := lists:foldl(fun(M, L) -> L#{M => Level} end, Levels, Modules)})
    end;
set_module_level(Module, Level) when is_atom(Module) -> set_module_level([Module], Level);
set_module_level(Module, _) -> {error, {not_a_list_of_modules, Module}}.

unset_module_level() -> set_config((config())#{modules := #{}}).

unset_module_level(Modules) when is_list(Modules) ->
    Config = #{modules := Levels} = config(),
    set_config(Config#{modules := maps:without(Modules, Levels)});
unset_module_level(Module) when is_atom(Module) -> unset_module_level([Module]);
unset_module_level(Module) -> {error, {not_a_list_of_modules, Module}}.

get_module_level() -> maps:to_list(maps:get(modules, config())).

get_module_level(Modules) when is_list(Modules) -> maps:to_list(maps:with(Modules, maps:get(modules, config())));
get_module_level(Module) -> get_module_level([Module]).

set_application_level(Application, Level) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> set_module_level(Modules, Level);
        undefined -> {error, {not_loaded, Application}}
    end.

unset_application_level(Application) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> unset_module_level(Modules);
        undefined -> {error, {not_loaded, Application}}
    end.

%% ---- the configuration ----------------------------------------------------------------------------------------------

%% The default is made only where it is needed: every call of a log function asks for the configuration.
config() ->
    case persistent_term:get({?MODULE, config}, none) of
        none -> default_config();
        Config -> Config
    end.

default_config() -> #{primary => default_primary(), modules => #{}, handlers => [{default, default_handler()}]}.

default_primary() -> #{level => notice, metadata => #{}, filters => [], filter_default => log}.

default_handler() ->
    #{id => default, module => logger_std_h, level => all, filter_default => stop,
      filters => [{remote_gl, {fun logger_filters:remote_gl/2, stop}}, {domain, {fun logger_filters:domain/2, {log, super, [otp, sasl]}}},
                  {no_domain, {fun logger_filters:domain/2, {log, undefined, []}}}],
      formatter => {logger_formatter, #{legacy_header => true, single_line => false}}, config => #{type => standard_error}}.

added_handler() -> #{level => all, filters => [], filter_default => log, formatter => {logger_formatter, #{}}}.

%% Reports of processes that end by an error come from the runtime, which is told whether somebody would print them. Where more than the
%% default handler as it is at first wants them, a process of the logger hears of these ends and makes events of them.
set_config(#{primary := #{level := Level}, handlers := Handlers} = Config) ->
    case is_plain(Config) of
        true ->
            put_config(Config),
            [{_, #{level := Own}}] = Handlers,
            erlang:'$crash_proxy'(none),
            erlang:'$crash_reports'(number(Level) >= number(error) andalso number(Own) >= number(error));
        false ->
            Proxy = case Config of
                        #{proxy := Pid} -> Pid;
                        _ -> spawn(fun() -> erlang:'$crash_proxy'(self()), proxy() end)
                    end,
            put_config(Config#{proxy => Proxy}),
            erlang:'$crash_proxy'(Proxy),
            erlang:'$crash_reports'(false)
    end,
    ok.

%% The levels alone are a term of their own: most calls of a log function look at nothing else, and what is read is copied.
put_config(#{primary := #{level := Level}, modules := Modules} = Config) ->
    persistent_term:put({?MODULE, config}, Config),
    persistent_term:put({?MODULE, levels}, {number(Level), maps:map(fun(_, Own) -> number(Own) end, Modules)}).

is_plain(#{primary := #{filters := []}, handlers := [{default, #{module := Module, filters := Filters, filter_default := Default, formatter := Formatter}}]}) ->
    #{module := Module0, filters := Filters0, filter_default := Default0, formatter := Formatter0} = default_handler(),
    {Module, Filters, Default, Formatter} =:= {Module0, Filters0, Default0, Formatter0};
is_plain(_) -> false.

proxy() ->
    receive
        {'$crash', Pid, Reason} -> crashed(Pid, Reason);
        _ -> ok
    end,
    proxy().

crashed(Pid, Reason) ->
    Config = config(),
    case number(error) =< number(level_of(undefined, Config)) of
        true ->
            Msg = case is_alive() of
                      true -> {"Error in process ~p on node ~p with exit value:~n~p~n", [Pid, node(), Reason]};
                      false -> {"Error in process ~p with exit value:~n~p~n", [Pid, Reason]}
                  end,
            Meta = #{pid => Pid, gl => group_leader(), time => timestamp(), error_logger => #{emulator => true, tag => error}},
            dispatch(#{level => error, msg => Msg, meta => Meta}, Config);
        false -> ok
    end.

get_config() ->
    #{primary := Primary, modules := Modules, handlers := Handlers} = config(),
    #{primary => Primary, module_levels => maps:to_list(Modules), handlers => [H || {_, H} <- Handlers]}.

get_primary_config() -> maps:get(primary, config()).

set_primary_config(New) when is_map(New) -> new_primary(maps:merge(default_primary(), New), New);
set_primary_config(New) -> {error, {invalid_config, New}}.

set_primary_config(Key, Value) -> update_primary_config(#{Key => Value}).

update_primary_config(New) when is_map(New) -> new_primary(maps:merge(get_primary_config(), New), New);
update_primary_config(New) -> {error, {invalid_config, New}}.

new_primary(Primary, New) ->
    case check_items(primary, maps:to_list(New)) of
        ok -> set_config((config())#{primary := Primary});
        Error -> Error
    end.

get_handler_ids() -> [Id || {Id, _} <- maps:get(handlers, config())].

get_handler_config() -> [H || {_, H} <- maps:get(handlers, config())].

get_handler_config(Id) ->
    case lists:keyfind(Id, 1, maps:get(handlers, config())) of
        {_, Handler} -> {ok, Handler};
        false -> {error, {not_found, Id}}
    end.

add_handler(Id, Module, New) ->
    case get('$logger_callback') of
        true -> {error, {attempting_syncronous_call_to_self, {add_handler, Id, Module, New}}};
        _ -> added(Id, Module, New)
    end.

added(Id, _, _) when not is_atom(Id) -> {error, {invalid_id, Id}};
added(_, Module, _) when not is_atom(Module) -> {error, {invalid_module, Module}};
added(Id, Module, New) when is_map(New) ->
    Handler = maps:merge(added_handler(), New#{id => Id, module => Module}),
    case {check_items(handler, maps:to_list(New)), get_handler_config(Id)} of
        {ok, {ok, _}} -> {error, {already_exist, Id}};
        {ok, _} ->
            _ = code:ensure_loaded(Module),
            case erlang:function_exported(Module, log, 2) of
                false -> {error, {invalid_handler, {function_not_exported, {Module, log, 2}}}};
                true ->
                    case callback(Module, adding_handler, [Handler], {ok, Handler}) of
                        {ok, Adapted} ->
                            Config = #{handlers := Handlers} = config(),
                            set_config(Config#{handlers := [{Id, Adapted} | Handlers]});
                        {error, Reason} -> {error, {handler_not_added, Reason}};
                        Other -> {error, {handler_not_added, {callback_reply_not_understood, Other}}}
                    end
            end;
        {Error, _} -> Error
    end;
added(_, _, New) -> {error, {invalid_config, New}}.

%% A callback that a handler may have. It runs in a process of its own, which cannot change handlers itself. The answer is a message: as the reason of
%% an end it would look like a failure.
callback(Module, Function, Args, Otherwise) ->
    case erlang:function_exported(Module, Function, length(Args)) of
        true ->
            {Caller, Ref} = {self(), make_ref()},
            {Pid, Monitor} = spawn_monitor(fun() ->
                put('$logger_callback', true),
                Result = try apply(Module, Function, Args)
                         catch C:R:S -> {error, {callback_crashed, {C, R, filter_stacktrace(?MODULE, S)}}}
                         end,
                Caller ! {Ref, Result}
            end),
            receive
                {'DOWN', Monitor, process, Pid, Reason} ->
                    receive {Ref, Result} -> Result
                    after 0 -> {error, {logger_process_exited, Pid, Reason}}
                    end
            end;
        %% As it was called before OTP 21.2.
        false when Function =:= changing_config, length(Args) =:= 3 -> callback(Module, Function, tl(Args), Otherwise);
        false -> Otherwise
    end.

remove_handler(Id) ->
    case get_handler_config(Id) of
        {ok, #{module := Module} = Handler} ->
            Config = #{handlers := Handlers} = config(),
            set_config(Config#{handlers := lists:keydelete(Id, 1, Handlers)}),
            _ = callback(Module, removing_handler, [Handler], ok),
            ok;
        Error -> Error
    end.

set_handler_config(Id, Key, Value) -> change_handler(set, Id, #{Key => Value}, fun(Old) -> Old#{Key => Value} end).

set_handler_config(Id, New) when is_map(New) ->
    change_handler(set, Id, New, fun(#{module := Module}) -> maps:merge((added_handler())#{id => Id, module => Module}, New) end);
set_handler_config(_, New) -> {error, {invalid_config, New}}.

update_handler_config(Id, Key, Value) -> update_handler_config(Id, #{Key => Value}).

update_handler_config(Id, New) when is_map(New) -> change_handler(update, Id, New, fun(Old) -> maps:merge(Old, New) end);
update_handler_config(_, New) -> {error, {invalid_config, New}}.

change_handler(How, Id, New, Change) ->
    case {check_items(handler, maps:to_list(New)), get_handler_config(Id)} of
        {ok, {ok, #{module := Module} = Old}} ->
            case Change(Old) of
                #{id := Id, module := Module} = Changed ->
                    case callback(Module, changing_config, [How, Old, Changed], {ok, Changed}) of
                        {ok, Adapted} -> store_handler(Id, Adapted);
                        Error -> Error
                    end;
                Changed -> {error, {illegal_config_change, Old, Changed}}
            end;
        {ok, Error} -> Error;
        {Error, _} -> Error
    end.

store_handler(Id, Handler) ->
    Config = #{handlers := Handlers} = config(),
    set_config(Config#{handlers := lists:keyreplace(Id, 1, Handlers, {Id, Handler})}).

update_formatter_config(Id, Key, Value) -> update_formatter_config(Id, #{Key => Value}).

update_formatter_config(Id, New) when is_map(New) ->
    case get_handler_config(Id) of
        {ok, #{formatter := {Module, Old}}} -> update_handler_config(Id, #{formatter => {Module, maps:merge(Old, New)}});
        Error -> Error
    end;
update_formatter_config(_, New) -> {error, {invalid_formatter_config, New}}.

add_primary_filter(Id, Filter) ->
    #{filters := Filters} = get_primary_config(),
    add_filter(Id, Filter, Filters, fun(All) -> update_primary_config(#{filters => All}) end).

remove_primary_filter(Id) ->
    #{filters := Filters} = get_primary_config(),
    remove_filter(Id, Filters, fun(Left) -> update_primary_config(#{filters => Left}) end).

add_handler_filter(HandlerId, Id, Filter) ->
    case get_handler_config(HandlerId) of
        {ok, #{filters := Filters} = Handler} -> add_filter(Id, Filter, Filters, fun(All) -> store_handler(HandlerId, Handler#{filters := All}) end);
        Error -> Error
    end.

remove_handler_filter(HandlerId, Id) ->
    case get_handler_config(HandlerId) of
        {ok, #{filters := Filters} = Handler} -> remove_filter(Id, Filters, fun(Left) -> store_handler(HandlerId, Handler#{filters := Left}) end);
        Error -> Error
    end.

add_filter(Id, Filter, Filters, Store) ->
    case {check_items(primary, [{filters, [{Id, Filter}]}]), lists:keymember(Id, 1, Filters)} of
        {ok, false} -> Store(Filters ++ [{Id, Filter}]);
        {ok, true} -> {error, {already_exist, Id}};
        {Error, _} -> Error
    end.

remove_filter(Id, Filters, Store) ->
    case lists:keymember(Id, 1, Filters) of
        true -> Store(lists:keydelete(Id, 1, Filters));
        false -> {error, {not_found, Id}}
    end.

check_items(Owner, [Item | Items]) ->
    case check_item(Owner, Item) of
        ok -> check_items(Owner, Items);
        Error -> {error, Error}
    end;
check_items(_, []) -> ok.

is_configured_level(Level) -> ?is_level(Level) orelse Level =:= all orelse Level =:= none.

check_item(_, {level, Level}) -> case is_configured_level(Level) of true -> ok; false -> {invalid_level, Level} end;
check_item(_, {filters, Filters}) when is_list(Filters) ->
    case [F || F <- Filters, not is_filter(F)] of
        [] -> ok;
        [Bad | _] -> {invalid_filter, Bad}
    end;
check_item(_, {filters, Filters}) -> {invalid_filters, Filters};
check_item(_, {filter_default, Default}) when Default =:= log; Default =:= stop -> ok;
check_item(_, {filter_default, Default}) -> {invalid_filter_default, Default};
check_item(primary, {metadata, Meta}) when is_map(Meta) -> ok;
check_item(primary, Item) -> {invalid_primary_config, Item};
check_item(handler, {formatter, {Module, Config}}) when is_atom(Module) ->
    _ = code:ensure_loaded(Module),
    case callback(Module, check_config, [Config], ok) of
        ok -> ok;
        {error, Error} -> Error
    end;
check_item(handler, {formatter, {Module, _}}) -> {invalid_module, Module};
check_item(handler, {formatter, Formatter}) -> {invalid_formatter, Formatter};
check_item(handler, _) -> ok.

is_filter({Id, {Fun, _}}) -> is_atom(Id) andalso is_function(Fun, 2);
is_filter(_) -> false.

%% ---- metadata of the process ----------------------------------------------------------------------------------------

set_process_metadata(Meta) when is_map(Meta) ->
    put('$logger_metadata$', Meta),
    ok;
set_process_metadata(Meta) -> erlang:error(badarg, [Meta]).

update_process_metadata(Meta) when is_map(Meta) ->
    case get_process_metadata() of
        undefined -> set_process_metadata(Meta);
        Old -> set_process_metadata(maps:merge(Old, Meta))
    end;
update_process_metadata(Meta) -> erlang:error(badarg, [Meta]).

get_process_metadata() -> get('$logger_metadata$').

unset_process_metadata() ->
    erase('$logger_metadata$'),
    ok.

%% ---- events ---------------------------------------------------------------------------------------------------------

do_log(Level, Said, #{mfa := {Module, _, _}} = Given) ->
    case logger_config:allow(Level, Module) of
        true -> log_allowed(Level, Said, Given);
        false -> ok
    end;
do_log(Level, Said, Given) ->
    case logger_config:allow(Level) of
        true -> log_allowed(Level, Said, Given);
        false -> ok
    end.

log_allowed(Level, {Fun, Args} = Call, Given) when is_function(Fun, 1) ->
    try Fun(Args) of
        {Said, #{} = More} -> said(Level, Said, Call, maps:merge(Given, More));
        Said -> said(Level, Said, Call, Given)
    catch C:R -> log_allowed(Level, {"LAZY_FUN CRASH: ~tp; Reason: ~tp", [Call, {C, R}]}, Given)
    end;
log_allowed(Level, Said, Given) ->
    Config = #{primary := #{metadata := Primary}} = config(),
    Own = case get_process_metadata() of undefined -> #{}; Map -> Map end,
    Meta = maps:merge(maps:merge(#{pid => self(), gl => group_leader()}, maps:merge(Primary, Own)), Given),
    Timed = case Meta of #{time := _} -> Meta; _ -> Meta#{time => timestamp()} end,
    do_log_allowed(Level, Said, Timed, none, Config).

-define(is_report(R), (is_map(R) orelse (is_list(R) andalso is_tuple(hd(R))))).
-define(is_string(S), (is_list(S) orelse is_binary(S))).
-define(is_format(F), (is_list(F) orelse is_binary(F) orelse is_atom(F))).

%% What a fun says.
said(_, ignore, _, _) -> ok;
said(Level, {Format, Args} = Said, _, Given) when ?is_format(Format), is_list(Args) -> log_allowed(Level, Said, Given);
said(Level, Said, _, Given) when ?is_report(Said); ?is_string(Said) -> log_allowed(Level, Said, Given);
said(Level, Other, Call, Given) -> log_allowed(Level, {"LAZY_FUN ERROR: ~tp; Returned: ~tp", [Call, Other]}, Given).

%% OTP has the table of handlers as the fourth argument, which stack traces show.
do_log_allowed(Level, {Format, Args}, Meta, _, Config) when ?is_level(Level), ?is_format(Format), is_list(Args), is_map(Meta) ->
    dispatch(#{level => Level, msg => {format_of(Format), Args}, meta => Meta}, Config);
do_log_allowed(Level, Report, Meta, _, Config) when ?is_level(Level), ?is_report(Report), is_map(Meta) ->
    dispatch(#{level => Level, msg => {report, Report}, meta => Meta}, Config);
do_log_allowed(Level, String, Meta, _, Config) when ?is_level(Level), ?is_string(String), is_map(Meta) ->
    dispatch(#{level => Level, msg => {string, String}, meta => Meta}, Config).

format_of(Format) when is_atom(Format) -> atom_to_list(Format);
format_of(Format) -> Format.

dispatch(Event, #{primary := #{filters := Filters, filter_default := Default}, handlers := Handlers}) ->
    case filtered(primary, Filters, Event, Default) of
        stop -> ok;
        Passed -> lists:foreach(fun({_, Handler}) -> handle(Handler, Passed) end, Handlers)
    end.

handle(#{id := Id, module := Module, level := HandlerLevel, filters := Filters, filter_default := Default} = Handler,
       #{level := Level, meta := Meta} = Event) ->
    %% An event of a process whose group leader is on another node is printed there; all nodes have one standard error.
    Own = case Meta of #{gl := Leader} when node(Leader) =/= node() -> lists:keydelete(remote_gl, 1, Filters); _ -> Filters end,
    case number(Level) =< number(HandlerLevel) andalso filtered(Id, Own, Event, Default) of
        false -> ok;
        stop -> ok;
        Passed ->
            try Module:log(Passed, maps:without([level, filters, filter_default], Handler))
            catch _:_ ->
                _ = remove_handler(Id),
                log(error, [{removed_failing_handler, Id}], #{})
            end
    end.

%% The event after the filters of an owner, or `stop`. A filter that fails is removed.
filtered(Owner, Filters, Event, Default) ->
    case filtered(Owner, Filters, Event) of
        ignore when Default =:= log -> Event;
        ignore -> stop;
        Result -> Result
    end.

filtered(Owner, [{Id, {Fun, Arg}} | Filters], Event) ->
    try Fun(Event, Arg) of
        stop -> stop;
        ignore -> filtered(Owner, Filters, Event);
        #{level := _, msg := _, meta := _} = New ->
            case filtered(Owner, Filters, New) of
                ignore -> New;
                Result -> Result
            end;
        _ -> failed_filter(Owner, Id, Filters, Event)
    catch _:_ -> failed_filter(Owner, Id, Filters, Event)
    end;
filtered(_, [], _) -> ignore.

failed_filter(Owner, Id, Filters, Event) ->
    _ = case Owner of primary -> remove_primary_filter(Id); _ -> remove_handler_filter(Owner, Id) end,
    log(error, [{removed_failing_filter, Id}], #{}),
    filtered(Owner, Filters, Event).

%% ---- texts of reports -----------------------------------------------------------------------------------------------

format_report(Report) when is_map(Report) -> format_report(maps:to_list(Report));
format_report(Report) ->
    try lists:flatten(Report) of
        [] -> {"~tp", [[]]};
        Flat ->
            case io_lib:printable_unicode_list(Flat) of
                true -> {"~ts", [Flat]};
                false ->
                    {Formats, Args} = lists:unzip([report_item(Item) || Item <- Report]),
                    {lists:append(lists:join("\n", Formats)), lists:append(Args)}
            end
    catch
        %% No list, or an improper one.
        _:_ -> {"~tp", [Report]}
    end.

report_item({Key, Value}) -> {case is_text(Value) of true -> "    ~tp: ~ts"; false -> "    ~tp: ~tp" end, [Key, Value]};
report_item(Value) -> {"    ~tp", [Value]}.

is_text(Value) ->
    try lists:flatten(Value) of
        Flat -> Flat =/= [] andalso io_lib:printable_unicode_list(Flat)
    catch _:_ -> false
    end.

format_otp_report(#{label := _, report := Report}) -> format_report(Report);
format_otp_report(Report) -> format_report(Report).

%% The frames outside of a module, and the innermost of its own.
filter_stacktrace(Module, [{Module, _, _, _} | _]) -> [];
filter_stacktrace(Module, [Frame | Frames]) -> [Frame | filter_stacktrace(Module, Frames)];
filter_stacktrace(_, []) -> [].
