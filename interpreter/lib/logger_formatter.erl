%% The module `logger_formatter`: text of a log event. With legacy_header the header is `=ERROR REPORT==== 20-Nov-2026::20:29:59.736185 ===`.
-module(logger_formatter).
-export([format/2, check_config/1, '$format_report'/1]).

check_config(Config) when is_map(Config) -> ok.

format(#{level := Level, msg := Msg, meta := Meta}, Config) ->
    Single = maps:get(single_line, Config, not maps:get(legacy_header, Config, false)),
    Template = maps:get(template, Config, default_template(Config)),
    Text = message(Msg, Meta, Single),
    lists:map(fun(Part) -> part(Part, Level, Text, Meta, Config) end, Template).

default_template(#{legacy_header := true}) -> [[logger_formatter, header], "\n", msg, "\n"];
default_template(#{single_line := false}) -> [time, " ", level, ":\n", msg, "\n"];
default_template(_) -> [time, " ", level, ": ", msg, "\n"].

part(msg, _, Text, _, _) -> Text;
part(level, Level, _, _, _) -> atom_to_list(Level);
part(time, _, _, #{time := Time}, _) -> calendar:system_time_to_rfc3339(Time, [{unit, microsecond}]);
part([logger_formatter, header], Level, _, #{time := Time} = Meta, _) -> header(Level, Time, Meta);
part(Key, _, _, Meta, _) when is_atom(Key) -> case Meta of #{Key := Value} -> value(Value); #{} -> "" end;
part({Key, IfExist, Else}, Level, Text, Meta, Config) ->
    case Key of
        _ when is_map_key(Key, Meta); Key =:= msg; Key =:= level -> [part(P, Level, Text, Meta, Config) || P <- IfExist];
        _ -> [part(P, Level, Text, Meta, Config) || P <- Else]
    end;
part([C | _] = String, _, _, _, _) when is_integer(C) -> String;
part([], _, _, _, _) -> "";
part(Keys, _, _, Meta, _) when is_list(Keys) ->
    value(lists:foldl(fun(K, M) when is_map(M) -> maps:get(K, M, ""); (_, _) -> "" end, Meta, Keys));
part(Binary, _, _, _, _) when is_binary(Binary) -> Binary.

value({M, F, A}) when is_atom(M), is_atom(F), is_integer(A) -> io_lib:format("~tw:~tw/~w", [M, F, A]);
value(Value) ->
    case io_lib:printable_unicode_list(Value) of
        true -> Value;
        false -> io_lib:format("~tp", [Value])
    end.

header(Level, Time, Meta) ->
    Title =
        case Meta of
            #{?MODULE := #{title := T}} -> T;
            _ -> string:uppercase(atom_to_list(Level)) ++ " REPORT"
        end,
    {{Y, Mo, D}, {H, Mi, S}} = calendar:system_time_to_local_time(Time, microsecond),
    Month = element(Mo, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}),
    io_lib:format("=~ts==== ~w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w ===", [Title, D, Month, Y, H, Mi, S, Time rem 1000000]).

message({string, String}, _, Single) -> single(String, Single);
message({report, Report}, #{report_cb := Callback}, Single) when is_function(Callback, 2) ->
    single(Callback(Report, #{depth => unlimited, chars_limit => unlimited, single_line => Single, encoding => utf8}), Single);
message({report, Report}, #{report_cb := Callback}, Single) when is_function(Callback, 1) ->
    {Format, Args} = Callback(Report),
    single(io_lib:format(Format, Args), Single);
message({report, Report}, _, Single) ->
    {Format, Args} = '$format_report'(Report),
    single(io_lib:format(Format, Args), Single);
message({Format, Args}, _, Single) ->
    Text =
        try io_lib:format(Format, Args)
        catch error:_ -> io_lib:format("FORMAT ERROR: ~tp - ~tp", [Format, Args])
        end,
    single(Text, Single).

single(Text, false) -> Text;
single(Text, true) ->
    Lines = [string:trim(L) || L <- string:split(string:trim(Text), "\n", all)],
    lists:join(", ", Lines).

'$format_report'(Report) when is_map(Report) -> '$format_report'(maps:to_list(Report));
'$format_report'(Report) when is_list(Report) ->
    case Report =/= [] andalso io_lib:printable_unicode_list(lists:flatten(Report)) of
        true -> {"~ts", [Report]};
        false ->
            {Formats, Args} = lists:unzip([report_item(I) || I <- Report]),
            {lists:append(lists:join("\n", Formats)), lists:append(Args)}
    end;
'$format_report'(Report) -> {"~tp", [Report]}.

report_item({Key, Value}) ->
    case is_list(Value) andalso Value =/= [] andalso io_lib:printable_unicode_list(Value) of
        true -> {"    ~ts: ~ts", [name(Key), Value]};
        false -> {"    ~ts: ~tp", [name(Key), Value]}
    end;
report_item(Value) -> {"    ~tp", [Value]}.

name(Key) ->
    case is_list(Key) andalso io_lib:printable_unicode_list(Key) of
        true -> Key;
        false -> io_lib:format("~tp", [Key])
    end.
