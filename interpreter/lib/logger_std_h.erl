%% The module `logger_std_h`: the handler that writes to standard output, standard error or a file.
-module(logger_std_h).
-export([log/2, adding_handler/1, changing_config/3, removing_handler/1, filesync/1]).

adding_handler(#{config := #{file := File} = Config} = Handler) when not is_map_key(type, Config) ->
    adding_handler(Handler#{config := Config#{type => {file, File}}});
adding_handler(Handler) ->
    case maps:get(config, Handler, #{}) of
        #{type := Type} = Config when Type =:= standard_io; Type =:= standard_error; element(1, Type) =:= file ->
            {ok, Handler#{config => Config}};
        #{type := Type} -> {error, {invalid_config, ?MODULE, #{type => Type}}};
        Config -> {ok, Handler#{config => Config#{type => standard_io}}}
    end.

%% Where a handler writes is fixed when it is added.
changing_config(_, #{config := #{type := Type}}, #{config := Config} = New) ->
    case Config of
        #{type := Other} when Other =/= Type -> {error, {illegal_config_change, ?MODULE, #{type => Type}, #{type => Other}}};
        _ -> {ok, New#{config := Config#{type => Type}}}
    end;
changing_config(_, #{config := Config}, New) -> {ok, New#{config => Config}}.

removing_handler(_) -> ok.

log(Event, #{formatter := {Formatter, FormatterConfig}, config := #{type := Type}}) ->
    Text =
        try Formatter:format(Event, FormatterConfig)
        catch C:R:_ -> logger_formatter:format(Event#{msg := {"FORMATTER CRASH: ~tp", [{C, R}]}}, #{})
        end,
    write(Type, Text).

write(standard_io, Text) -> io:put_chars(user, Text);
write(standard_error, Text) -> io:put_chars(standard_error, Text);
write(File, Text) -> file:write_file(element(2, File), unicode:characters_to_binary(Text), [append]).

%% Every event is written when it is logged.
filesync(Id) ->
    case logger:get_handler_config(Id) of
        {ok, _} -> ok;
        Error -> Error
    end.
