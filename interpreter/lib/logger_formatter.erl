%% The module `logger_formatter`: text of a log event, by a template.
-module(logger_formatter).
-export([format/2, check_config/1]).
-if(?OTP_RELEASE >= 26).
-callback check_config(Config :: map()) -> ok | {error, term()}.
-callback format(Event :: map(), Config :: map()) -> unicode:chardata().
-endif.

%% ---- configuration --------------------------------------------------------------------------------------------------

check_config(Config) when is_map(Config) -> check_items(maps:to_list(Config));
check_config(Config) -> {error, {invalid_formatter_config, ?MODULE, Config}}.

check_items([{template, Template} | Items]) ->
    case is_template(Template) of
        true -> check_items(Items);
        false -> {error, {invalid_formatter_template, ?MODULE, Template}}
    end;
check_items([{Key, Value} = Item | Items]) ->
    case is_item(Key, Value) of
        true -> check_items(Items);
        false -> {error, {invalid_formatter_config, ?MODULE, Item}}
    end;
check_items([]) -> ok.

is_item(Key, Limit) when Key =:= chars_limit; Key =:= depth; Key =:= max_size -> Limit =:= unlimited orelse is_integer(Limit) andalso Limit > 0;
is_item(Key, Value) when Key =:= single_line; Key =:= legacy_header -> is_boolean(Value);
is_item(error_logger_notice_header, Value) -> Value =:= info orelse Value =:= notice;
is_item(report_cb, Value) -> is_function(Value, 1) orelse is_function(Value, 2);
is_item(time_offset, Value) -> is_integer(Value) orelse Value =:= "" orelse is_list(Value) andalso lists:member(hd(Value), "zZ+-");
is_item(time_designator, Value) -> io_lib:printable_latin1_list([Value]);
is_item(_, _) -> false.

is_template([{Key, IfExist, Else} | Rest]) -> is_key(Key) andalso is_template(IfExist) andalso is_template(Else) andalso is_template(Rest);
is_template([Part | Rest]) -> (is_key(Part) orelse is_text(Part)) andalso is_template(Rest);
is_template([]) -> true;
is_template(_) -> false.

is_key(Key) -> is_atom(Key) orelse is_list(Key) andalso Key =/= [] andalso lists:all(fun is_atom/1, Key).

is_text(Text) -> is_binary(Text) orelse is_integer(Text) orelse io_lib:printable_unicode_list(Text).

%% What is not configured; the template follows from the rest.
complete(Config0) ->
    Limits = #{max_size => limit(10, maps:get(max_size, Config0, unlimited)),
               depth => case Config0 of #{depth := Depth} -> limit(5, Depth); _ -> error_logger:get_format_depth() end},
    Config = maps:merge(#{chars_limit => unlimited, error_logger_notice_header => info, legacy_header => false, single_line => true,
                          time_designator => $T, time_offset => offset()}, maps:merge(Config0, Limits)),
    case Config of
        #{template := _} -> Config;
        #{legacy_header := true} -> Config#{template => [[logger_formatter, header], "\n", msg, "\n"]};
        #{single_line := true} -> Config#{template => [time, " ", level, ": ", msg, "\n"]};
        _ -> Config#{template => [time, " ", level, ":\n", msg, "\n"]}
    end.

limit(_, unlimited) -> unlimited;
limit(Least, N) -> erlang:max(Least, N).

offset() ->
    case {application:get_env(sasl, utc_log), application:get_env(stdlib, utc_log)} of
        {{ok, true}, _} -> "Z";
        {{ok, false}, _} -> "";
        {_, {ok, true}} -> "Z";
        _ -> ""
    end.

%% ---- the text -------------------------------------------------------------------------------------------------------

format(#{level := Level, msg := Msg, meta := Meta0}, Config0) when is_map(Config0) ->
    Config = #{template := Template, single_line := Single, chars_limit := Limit} = complete(Config0),
    Meta = with_header(Level, Meta0, Config),
    {Before, Rest} = lists:splitwith(fun(Part) -> Part =/= msg end, Template),
    B = parts(Before, Level, Meta, Config),
    A = parts(case Rest of [msg | After] -> After; [] -> [] end, Level, Meta, Config),
    Text =
        case Rest of
            [] -> "";
            _ ->
                Left = if Limit =:= unlimited -> unlimited; true -> erlang:max(0, Limit - io_lib:chars_length([B, A])) end,
                Whole = message(Msg, Meta, Config#{chars_limit := Left}),
                if Single -> single_line(Whole); true -> Whole end
        end,
    cut(B, Text, A, maps:get(max_size, Config)).

parts(Template, Level, Meta, Config) -> [part(Part, Level, Meta, Config) || Part <- Template].

part(level, Level, _, Config) -> text(level, Level, Config);
part({Key, IfExist, Else}, Level, Meta, Config) ->
    case value(Key, Meta) of
        {ok, Value} -> parts(IfExist, Level, Meta#{Key => Value}, Config);
        error -> parts(Else, Level, Meta, Config)
    end;
part(Key, _, Meta, Config) when is_atom(Key); is_list(Key), is_atom(hd(Key)) ->
    case value(Key, Meta) of
        {ok, Value} -> text(Key, Value, Config);
        error -> ""
    end;
part(Text, _, _, _) -> Text.

value(Key, Meta) when is_map_key(Key, Meta) -> {ok, maps:get(Key, Meta)};
value([Key | Keys], Meta) when is_map_key(Key, Meta) -> value(Keys, maps:get(Key, Meta));
value([], Value) -> {ok, Value};
value(_, _) -> error.

text(time, Time, #{time_offset := Offset, time_designator := Designator}) when is_integer(Time) ->
    calendar:system_time_to_rfc3339(Time, [{unit, microsecond}, {offset, Offset}, {time_designator, Designator}]);
text(mfa, {M, F, A}, Config) when is_list(A) -> text(mfa, {M, F, length(A)}, Config);
text(mfa, {M, F, A}, _) when is_atom(M), is_atom(F), is_integer(A) -> io_lib:format("~tw:~tw/~w", [M, F, A]);
text(_, Value, _) when is_atom(Value) -> atom_to_list(Value);
text(_, Value, _) when is_integer(Value) -> integer_to_list(Value);
text(_, Value, _) when is_pid(Value) -> pid_to_list(Value);
text(_, Value, _) when is_reference(Value) -> ref_to_list(Value);
text(_, Value, Config) when is_list(Value) ->
    Flat = lists:flatten(Value),
    case Flat =/= [] andalso io_lib:printable_list(Flat) of
        true -> Value;
        false -> io_lib:format(control(Config), [Value])
    end;
text(_, Value, Config) -> io_lib:format(control(Config), [Value]).

control(#{single_line := Single}) -> control(Single);
control(true) -> "~0tp";
control(false) -> "~tp".

with_header(Level, #{time := Time} = Meta, #{legacy_header := true} = Config) ->
    Own = maps:get(?MODULE, Meta, #{}),
    Titled =
        case Own of
            #{title := _} -> Own;
            _ ->
                Word = case Meta of #{error_logger := _} when Level =:= notice -> maps:get(error_logger_notice_header, Config); _ -> Level end,
                Own#{title => string:uppercase(atom_to_list(Word)) ++ " REPORT"}
        end,
    Universal = erlang:posixtime_to_universaltime(Time div 1000000),
    {{{Y, Mo, D}, {H, Mi, S}}, Utc} =
        case lists:member(maps:get(time_offset, Config), [0, "z", "Z", "+00:00"]) of
            true -> {Universal, "UTC "};
            false -> {erlang:universaltime_to_localtime(Universal), ""}
        end,
    Month = element(Mo, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}),
    Header = io_lib:format("=~ts==== ~w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w ~s===",
                           [maps:get(title, Titled), D, Month, Y, H, Mi, S, Time rem 1000000, Utc]),
    Meta#{?MODULE => Titled#{header => Header}};
with_header(_, Meta, _) -> Meta.

message({string, Chars}, Meta, Config) -> message({"~ts", [Chars]}, Meta, Config);
message({report, _} = Msg, Meta, #{report_cb := Callback} = Config) ->
    message(Msg, Meta#{report_cb => Callback}, maps:remove(report_cb, Config));
message({report, Report}, #{report_cb := Callback} = Meta, Config) when is_function(Callback, 1) ->
    try Callback(Report) of
        {Format, Args} when is_list(Format), is_list(Args) -> message({Format, Args}, Meta, Config);
        Other -> bad_callback("1 ERROR", "Returned", Report, Other, Config)
    catch C:R:S -> bad_callback("1 CRASH", "Reason", Report, {C, R, logger:filter_stacktrace(?MODULE, S)}, Config)
    end;
message({report, Report}, #{report_cb := Callback}, Config) when is_function(Callback, 2) ->
    try Callback(Report, maps:with([depth, chars_limit, single_line], Config)) of
        Chars when is_list(Chars); is_binary(Chars) ->
            case unicode:characters_to_list(Chars, unicode) of
                List when is_list(List) -> List;
                _ -> bad_callback("2 ERROR", "Returned", Report, Chars, Config)
            end;
        Other -> bad_callback("2 ERROR", "Returned", Report, Other, Config)
    catch C:R:S -> bad_callback("2 CRASH", "Reason", Report, {C, R, logger:filter_stacktrace(?MODULE, S)}, Config)
    end;
message({report, Report}, Meta, Config) -> message({report, Report}, Meta#{report_cb => fun logger:format_otp_report/1}, Config);
message({Format, Args}, _, #{single_line := Single} = Config) ->
    try formatted(Format, Args, Config)
    catch _:_ ->
        Control = control(Single),
        formatted("FORMAT ERROR: " ++ Control ++ " - " ++ Control, [Format, Args], Config)
    end.

bad_callback(What, Why, Report, Value, Config) ->
    Control = control(Config),
    message({"REPORT_CB/" ++ What ++ ": " ++ Control ++ "; " ++ Why ++ ": " ++ Control, [Report, Value]}, #{}, Config).

formatted(Format0, Args0, #{depth := Depth, chars_limit := Limit, single_line := Single}) ->
    {Format, Args} = if Depth =:= unlimited, not Single -> {Format0, Args0}; true -> limited(Format0, Args0, Depth, Single) end,
    io_lib:format(Format, Args, [{chars_limit, Limit} || Limit =/= unlimited]).

%% Terms on one line, and no deeper than configured: other control sequences, with the depth as a further argument.
limited([$~ | Rest0], Args0, Depth, Single) ->
    {Width, Rest1} = lists:splitwith(fun(C) -> lists:member(C, "-*0123456789") end, Rest0),
    {Precision, Rest2} = precision(Rest1),
    {Modifiers, [Control | Rest]} = lists:splitwith(fun(C) -> C =:= $t orelse C =:= $l orelse C =:= $k orelse C =:= $K end, Rest2),
    {Stars, Args1} = lists:split(length([C || C <- Width ++ Precision, C =:= $*]), Args0),
    {Own, Args} = lists:split(arguments(Control), Args1),
    NewWidth = if Single, Control =:= $p orelse Control =:= $P -> "0"; true -> Width end,
    NewStars = if NewWidth =:= Width -> Stars; true -> lists:nthtail(length([C || C <- Width, C =:= $*]), Stars) end,
    {NewControl, NewOwn} =
        if
            Depth =/= unlimited, Control =:= $p orelse Control =:= $w -> {Control - $a + $A, Own ++ [Depth]};
            true -> {Control, Own}
        end,
    {Format, More} = limited(Rest, Args, Depth, Single),
    {[$~ | NewWidth ++ Precision ++ Modifiers ++ [NewControl | Format]], NewStars ++ NewOwn ++ More};
limited([C | Rest], Args, Depth, Single) ->
    {Format, More} = limited(Rest, Args, Depth, Single),
    {[C | Format], More};
limited([], Args, _, _) -> {[], Args}.

%% `.P` and `.P.Pad`.
precision([$. | Rest0]) ->
    {Digits, Rest} = lists:splitwith(fun(C) -> lists:member(C, "*0123456789") end, Rest0),
    case Rest of
        [$., Pad | Rest1] -> {[$. | Digits] ++ [$., Pad], Rest1};
        _ -> {[$. | Digits], Rest}
    end;
precision(Rest) -> {"", Rest}.

%% How many arguments a control sequence takes.
arguments(C) when C =:= $~; C =:= $n -> 0;
arguments(C) when C =:= $P; C =:= $W; C =:= $x; C =:= $X -> 2;
arguments(_) -> 1.

single_line(Text) -> re:replace(string:trim(Text, both, " \r\n"), ",?\r?\n\s*", ", ", [{return, list}, global, unicode]).

cut(Before, Text, After, unlimited) -> [Before, Text, After];
cut(Before, Text, After, Size) ->
    String = [Before, Text, After],
    case io_lib:chars_length(String) > Size of
        false -> String;
        true ->
            Flat = lists:flatten(String),
            case lists:last(Flat) of
                $\n -> lists:sublist(Flat, Size - 4) ++ "...\n";
                _ -> lists:sublist(Flat, Size - 3) ++ "..."
            end
    end.
