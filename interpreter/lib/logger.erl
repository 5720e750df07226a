%% The module `logger`, as far as programs need it: the levels, and one handler that prints to the standard output as Erlang/OTP's default
%% handler does. The primary level is a persistent term.
-module(logger).
-export([emergency/1, emergency/2, emergency/3, alert/1, alert/2, alert/3, critical/1, critical/2, critical/3, error/1, error/2, error/3,
         warning/1, warning/2, warning/3, notice/1, notice/2, notice/3, info/1, info/2, info/3, debug/1, debug/2, debug/3, log/2, log/3, log/4,
         allow/2, macro_log/3, macro_log/4, macro_log/5, compare_levels/2, get_primary_config/0, set_primary_config/1, set_primary_config/2,
         update_primary_config/1, set_module_level/2, unset_module_level/1, get_module_level/1, set_process_metadata/1, update_process_metadata/1,
         get_process_metadata/0, unset_process_metadata/0, set_handler_config/2, set_handler_config/3, update_handler_config/2,
         update_handler_config/3, get_handler_ids/0, get_handler_config/0, get_handler_config/1, add_handler/3, remove_handler/1,
         add_primary_filter/2, remove_primary_filter/1, timestamp/0, format_report/1, format_otp_report/1, set_application_level/2]).

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
log(Level, Report) when is_map(Report) -> event(Level, {report, Report}, #{});
log(Level, Text) -> string_or_report(Level, Text, #{}).

log(Level, StringOrReport, Meta) when is_map(Meta), not is_function(StringOrReport, 1) -> string_or_report(Level, StringOrReport, Meta);
log(Level, FunOrFormat, Args) -> log(Level, FunOrFormat, Args, #{}).

log(Level, Fun, Args, Meta) when is_function(Fun, 1) ->
    case allow(Level, undefined) of
        true ->
            case Fun(Args) of
                {Format, FormatArgs} -> event(Level, {Format, FormatArgs}, Meta);
                ignore -> ok;
                Report -> string_or_report(Level, Report, Meta)
            end;
        false -> ok
    end;
log(Level, Format, Args, Meta) -> event(Level, {Format, Args}, Meta).

string_or_report(Level, Report, Meta) when is_map(Report) -> event(Level, {report, Report}, Meta);
string_or_report(Level, [{_, _} | _] = Report, Meta) -> event(Level, {report, Report}, Meta);
string_or_report(Level, String, Meta) -> event(Level, {string, String}, Meta).

macro_log(Location, Level, StringOrReport) -> log(Level, StringOrReport, Location).

macro_log(Location, Level, StringOrReport, Meta) when is_map(Meta) -> log(Level, StringOrReport, maps:merge(Location, Meta));
macro_log(Location, Level, Format, Args) -> log(Level, Format, Args, Location).

macro_log(Location, Level, Format, Args, Meta) -> log(Level, Format, Args, maps:merge(Location, Meta)).

%% ---- levels ---------------------------------------------------------------------------------------------------------

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
    case {number(A), number(B)} of
        {N, N} -> eq;
        {N, M} when N < M -> gt;
        _ -> lt
    end.

allow(Level, Module) -> number(Level) =< number(level(Module)).

level(Module) ->
    Config = config(),
    case Config of
        #{modules := #{Module := Level}} -> Level;
        #{level := Level} -> Level
    end.

config() -> persistent_term:get({?MODULE, config}, #{level => notice, modules => #{}, metadata => #{}, filters => [], handler => #{}}).

set_config(Config) ->
    persistent_term:put({?MODULE, config}, Config),
    ok.

get_primary_config() ->
    #{level := Level, metadata := Meta, filters := Filters} = config(),
    #{level => Level, metadata => Meta, filters => Filters, filter_default => log}.

set_primary_config(New) when is_map(New) ->
    set_config(maps:merge(config(), maps:with([level, metadata, filters], New))).

set_primary_config(Key, Value) ->
    case Key of
        level -> _ = number(Value);
        _ -> ok
    end,
    set_config((config())#{Key => Value}).

update_primary_config(New) -> set_primary_config(New).

set_module_level(Modules, Level) when is_list(Modules) ->
    Config = #{modules := Levels} = config(),
    set_config(Config#{modules := lists:foldl(fun(M, L) -> L#{M => Level} end, Levels, Modules)});
set_module_level(Module, Level) -> set_module_level([Module], Level).

set_application_level(_, _) -> ok.

unset_module_level(Modules) when is_list(Modules) ->
    Config = #{modules := Levels} = config(),
    set_config(Config#{modules := maps:without(Modules, Levels)});
unset_module_level(Module) -> unset_module_level([Module]).

get_module_level(Modules) when is_list(Modules) ->
    #{modules := Levels} = config(),
    maps:to_list(maps:with(Modules, Levels));
get_module_level(Module) -> get_module_level([Module]).

set_process_metadata(Meta) when is_map(Meta) ->
    put('$logger_metadata$', Meta),
    ok.

update_process_metadata(Meta) when is_map(Meta) ->
    case get_process_metadata() of
        undefined -> set_process_metadata(Meta);
        Old -> set_process_metadata(maps:merge(Old, Meta))
    end.

get_process_metadata() -> get('$logger_metadata$').

unset_process_metadata() ->
    erase('$logger_metadata$'),
    ok.

%% There is one handler, `default`; its level and filters count.
get_handler_ids() ->
    case config() of
        #{handler := removed} -> [];
        _ -> [default]
    end.

get_handler_config() -> [C || Id <- get_handler_ids(), {ok, C} <- [get_handler_config(Id)]].

get_handler_config(default) ->
    case config() of
        #{handler := removed} -> {error, {not_found, default}};
        #{handler := Handler} ->
            {ok, maps:merge(#{id => default, module => logger_std_h, level => all, filters => [], filter_default => log,
                              formatter => {logger_formatter, #{legacy_header => true, single_line => false}}, config => #{type => standard_error}}, Handler)}
    end;
get_handler_config(Id) -> {error, {not_found, Id}}.

set_handler_config(default, Key, Value) -> update_handler_config(default, #{Key => Value});
set_handler_config(Id, _, _) -> {error, {not_found, Id}}.

set_handler_config(default, New) -> update_handler_config(default, New);
set_handler_config(Id, _) -> {error, {not_found, Id}}.

update_handler_config(default, New) ->
    case config() of
        #{handler := removed} -> {error, {not_found, default}};
        #{handler := Old} = Config -> set_config(Config#{handler := maps:merge(Old, New)})
    end;
update_handler_config(Id, _) -> {error, {not_found, Id}}.

update_handler_config(Id, Key, Value) -> update_handler_config(Id, #{Key => Value}).

add_handler(Id, Module, Handler) ->
    case config() of
        #{handler := removed} = Config when Id =:= default -> set_config(Config#{handler := Handler#{module => Module}});
        #{others := #{Id := _}} -> {error, {already_exist, Id}};
        _ when Id =:= default -> {error, {already_exist, default}};
        Config ->
            Others = maps:get(others, Config, #{}),
            set_config(Config#{others => Others#{Id => maps:merge(#{id => Id, module => Module, level => all, filters => []}, Handler)}})
    end.

remove_handler(default) -> set_config((config())#{handler := removed});
remove_handler(Id) ->
    case config() of
        #{others := #{Id := _} = Others} = Config -> set_config(Config#{others := maps:remove(Id, Others)});
        _ -> {error, {not_found, Id}}
    end.

add_primary_filter(Id, Filter) ->
    #{filters := Filters} = Config = config(),
    set_config(Config#{filters := Filters ++ [{Id, Filter}]}).

remove_primary_filter(Id) ->
    #{filters := Filters} = Config = config(),
    set_config(Config#{filters := lists:keydelete(Id, 1, Filters)}).

%% ---- events ---------------------------------------------------------------------------------------------------------

timestamp() -> os:system_time(microsecond).

event(Level, Msg, Meta0) ->
    Config = config(),
    Module = case Meta0 of #{mfa := {M, _, _}} -> M; _ -> undefined end,
    case number(Level) =< number(case Config of #{modules := #{Module := L}} -> L; #{level := L} -> L end) of
        true ->
            Own = case get('$logger_metadata$') of undefined -> #{}; P -> P end,
            Meta = maps:merge(maps:merge(#{pid => self(), gl => group_leader(), time => timestamp()}, Own), Meta0),
            case filtered(maps:get(filters, Config), #{level => Level, msg => Msg, meta => Meta}) of
                stop -> ok;
                Event ->
                    to_default(maps:get(handler, Config), Event),
                    maps:foreach(fun(_, #{module := HandlerModule} = H) -> to_handler(HandlerModule, H, Event) end, maps:get(others, Config, #{})),
                    ok
            end;
        false -> ok
    end.

filtered([{_, {Fun, Arg}} | Filters], Event) ->
    case Fun(Event, Arg) of
        stop -> stop;
        ignore -> filtered(Filters, Event);
        New -> filtered(Filters, New)
    end;
filtered([], Event) -> Event.

to_default(removed, _) -> ok;
to_default(#{module := Module} = Handler, Event) when Module =/= logger_std_h -> to_handler(Module, Handler, Event);
to_default(Handler, Event) -> to_handler(logger_std_h, Handler, Event).

to_handler(Module, Handler, #{level := Level} = Event0) ->
    case number(Level) =< number(maps:get(level, Handler, all)) andalso filtered(maps:get(filters, Handler, []), Event0) of
        false -> ok;
        stop -> ok;
        Event when Module =:= logger_std_h ->
            Device = case Handler of #{config := #{type := standard_io}} -> user; _ -> standard_error end,
            io:put_chars(Device, text(Handler, Event));
        Event -> Module:log(Event, Handler)
    end.

text(#{formatter := {Formatter, Config}}, Event) when Formatter =/= logger_formatter -> Formatter:format(Event, Config);
text(_, Event) -> logger_formatter:format(Event, #{legacy_header => true, single_line => false}).

format_report(Report) -> logger_formatter:'$format_report'(Report).

format_otp_report(#{label := _, report := Report}) -> format_report(Report);
format_otp_report(Report) -> format_report(Report).
