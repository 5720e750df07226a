%% The module `calendar`: the Gregorian calendar extended back to year 0. What depends on the time zone is native (`erlang:localtime/0`, …).
-module(calendar).
-export([date_to_gregorian_days/1, date_to_gregorian_days/3, datetime_to_gregorian_seconds/1, day_of_the_week/1, day_of_the_week/3,
         gregorian_days_to_date/1, gregorian_seconds_to_datetime/1, is_leap_year/1, iso_week_number/0, iso_week_number/1,
         last_day_of_the_month/2, local_time/0, local_time_to_universal_time/1, local_time_to_universal_time/2,
         local_time_to_universal_time_dst/1, now_to_datetime/1, now_to_local_time/1, now_to_universal_time/1, rfc3339_to_system_time/1,
         rfc3339_to_system_time/2, seconds_to_daystime/1, seconds_to_time/1, system_time_to_local_time/2, system_time_to_universal_time/2,
         system_time_to_rfc3339/1, system_time_to_rfc3339/2, time_difference/2, time_to_seconds/1, universal_time/0,
         universal_time_to_local_time/1, valid_date/1, valid_date/3]).
-if(?OTP_RELEASE >= 28).
-export([local_time_to_system_time/1, local_time_to_system_time/2, universal_time_to_system_time/1, universal_time_to_system_time/2]).
-endif.

-define(MINUTE, 60).
-define(HOUR, 3600).
-define(DAY, 86400).
-define(YEAR, 365).
-define(DAYS_0_TO_1970, 719528).
-define(SECONDS_0_TO_1970, 62167219200).

date_to_gregorian_days({Year, Month, Day}) -> date_to_gregorian_days(Year, Month, Day).

date_to_gregorian_days(Year, Month, Day) when is_integer(Day), Day > 0 ->
    Last = last_day_of_the_month(Year, Month),
    if
        Day =< Last -> days_before_year(Year) + days_before_month(Year, Month) + Day - 1
    end.

%% Days from year 0 to the first of January.
days_before_year(Year) ->
    Y = Year - 1,
    if
        Y < 0 -> 0;
        true -> Y div 4 - Y div 100 + Y div 400 + Y * ?YEAR + 366
    end.

days_before_month(Year, Month) ->
    Before = element(Month, {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}),
    case Month > 2 andalso is_leap_year(Year) of
        true -> Before + 1;
        false -> Before
    end.

datetime_to_gregorian_seconds({Date, Time}) -> ?DAY * date_to_gregorian_days(Date) + time_to_seconds(Time).

day_of_the_week({Year, Month, Day}) -> day_of_the_week(Year, Month, Day).

day_of_the_week(Year, Month, Day) -> (date_to_gregorian_days(Year, Month, Day) + 5) rem 7 + 1.

gregorian_days_to_date(Days) ->
    {Year, DayOfYear} = day_to_year(Days),
    {Month, Day} = month_and_day(Year, DayOfYear, 1),
    {Year, Month, Day}.

%% The year, by a guess that is some too large, and the days since its beginning.
day_to_year(Days) when Days >= 0 ->
    Year = fit_year(Days, Days div ?YEAR * ?YEAR * 400 div 146097 + 1),
    {Year, Days - days_before_year(Year)}.

fit_year(Days, Year) ->
    case days_before_year(Year) > Days of
        true -> fit_year(Days, Year - 1);
        false ->
            case days_before_year(Year + 1) =< Days of
                true -> fit_year(Days, Year + 1);
                false -> Year
            end
    end.

month_and_day(Year, DayOfYear, Month) ->
    Length = last_day_of_the_month(Year, Month),
    if
        DayOfYear < Length -> {Month, DayOfYear + 1};
        true -> month_and_day(Year, DayOfYear - Length, Month + 1)
    end.

gregorian_seconds_to_datetime(Secs) when Secs >= 0 ->
    {gregorian_days_to_date(Secs div ?DAY), seconds_to_time(Secs rem ?DAY)}.

is_leap_year(Y) when is_integer(Y), Y >= 0 -> (Y rem 4 =:= 0 andalso Y rem 100 > 0) orelse Y rem 400 =:= 0.

iso_week_number() ->
    {Date, _} = local_time(),
    iso_week_number(Date).

%% Week 1 is the one with the year's first Thursday.
iso_week_number({Year, Month, Day}) ->
    D = date_to_gregorian_days({Year, Month, Day}),
    W01 = first_week(Year),
    W01Next = first_week(Year + 1),
    if
        W01 =< D, D < W01Next -> {Year, (D - W01) div 7 + 1};
        D < W01 -> {Year - 1, (D - first_week(Year - 1)) div 7 + 1};
        true -> {Year + 1, 1}
    end.

first_week(Year) ->
    Fourth = date_to_gregorian_days(Year, 1, 4),
    Fourth - (Fourth + 5) rem 7.

last_day_of_the_month(Y, M) when is_integer(Y), Y >= 0 -> last_day_of_the_month1(Y, M).

last_day_of_the_month1(_, M) when M =:= 4; M =:= 6; M =:= 9; M =:= 11 -> 30;
last_day_of_the_month1(Y, 2) ->
    case is_leap_year(Y) of
        true -> 29;
        false -> 28
    end;
last_day_of_the_month1(_, M) when is_integer(M), M > 0, M < 13 -> 31.

local_time() -> erlang:localtime().

universal_time() -> erlang:universaltime().

universal_time_to_local_time(DateTime) -> erlang:universaltime_to_localtime(DateTime).

local_time_to_universal_time(DateTime) -> erlang:localtime_to_universaltime(DateTime).

local_time_to_universal_time(DateTime, IsDst) -> erlang:localtime_to_universaltime(DateTime, IsDst).

local_time_to_universal_time_dst(DateTime) ->
    Dst = erlang:localtime_to_universaltime(DateTime, true),
    Standard = erlang:localtime_to_universaltime(DateTime, false),
    case {erlang:universaltime_to_localtime(Dst), erlang:universaltime_to_localtime(Standard)} of
        {DateTime, DateTime} when Dst =:= Standard -> [Dst];
        {DateTime, DateTime} -> [Dst, Standard];
        {DateTime, _} -> [Dst];
        {_, DateTime} -> [Standard];
        {_, _} -> []
    end.

local_time_to_system_time(LocalTime) -> local_time_to_system_time(LocalTime, []).

local_time_to_system_time(LocalTime, Options) ->
    case local_time_to_universal_time_dst(LocalTime) of
        [UniversalTime] -> universal_time_to_system_time(UniversalTime, Options);
        [] -> error({non_existing_local_time, LocalTime});
        [_, _] -> error({ambiguous_local_time, LocalTime})
    end.

universal_time_to_system_time(UniversalTime) -> universal_time_to_system_time(UniversalTime, []).

universal_time_to_system_time(UniversalTime, Options) ->
    Factor = factor(proplists:get_value(unit, Options, second)),
    datetime_to_system_time(UniversalTime) * Factor.

now_to_datetime({MegaSecs, Secs, _}) -> system_time_to_datetime(MegaSecs * 1000000 + Secs).

now_to_universal_time(Now) -> now_to_datetime(Now).

now_to_local_time({MegaSecs, Secs, MicroSecs}) -> erlang:universaltime_to_localtime(now_to_universal_time({MegaSecs, Secs, MicroSecs})).

system_time_to_local_time(Time, Unit) -> erlang:universaltime_to_localtime(system_time_to_universal_time(Time, Unit)).

system_time_to_universal_time(Time, Unit) -> system_time_to_datetime(erlang:convert_time_unit(Time, Unit, second)).

system_time_to_datetime(Seconds) -> gregorian_seconds_to_datetime(Seconds + ?SECONDS_0_TO_1970).

seconds_to_daystime(Secs) when Secs < 0 ->
    Days0 = Secs div ?DAY,
    Secs0 = Secs rem ?DAY,
    if
        Secs0 < 0 -> {Days0 - 1, seconds_to_time(?DAY + Secs0)};
        true -> {Days0, seconds_to_time(Secs0)}
    end;
seconds_to_daystime(Secs) -> {Secs div ?DAY, seconds_to_time(Secs rem ?DAY)}.

seconds_to_time(Secs0) when Secs0 >= 0, Secs0 < ?DAY ->
    Secs = Secs0 rem ?DAY,
    Rest = Secs rem ?HOUR,
    {Secs div ?HOUR, Rest div ?MINUTE, Rest rem ?MINUTE}.

time_difference({{Y1, Mo1, D1}, {H1, Mi1, S1}}, {{Y2, Mo2, D2}, {H2, Mi2, S2}}) ->
    Secs = datetime_to_gregorian_seconds({{Y2, Mo2, D2}, {H2, Mi2, S2}}) - datetime_to_gregorian_seconds({{Y1, Mo1, D1}, {H1, Mi1, S1}}),
    seconds_to_daystime(Secs).

time_to_seconds({H, Mi, S}) when is_integer(H), is_integer(Mi), is_integer(S) -> H * ?HOUR + Mi * ?MINUTE + S.

valid_date({Y, M, D}) -> valid_date(Y, M, D).

valid_date(Y, M, D) when is_integer(Y), is_integer(M), is_integer(D), Y >= 0, M > 0, M < 13, D > 0 -> D =< last_day_of_the_month(Y, M);
valid_date(Y, M, D) when is_integer(Y), is_integer(M), is_integer(D) -> false.

%% Times before 1970 were cut towards zero, and the fraction was written without its sign. Binaries have come with OTP 28.
-if(?OTP_RELEASE >= 26).
-define(TOWARDS_ZERO, false).
-else.
-define(TOWARDS_ZERO, true).
-endif.
-if(?OTP_RELEASE >= 28).
-define(BINARIES, true).
-else.
-define(BINARIES, false).
-endif.

%% ---- RFC 3339 -------------------------------------------------------------------------------------------------------

rfc3339_to_system_time(String) -> rfc3339_to_system_time(String, []).

%% What follows when date and time are read: [.fraction](Z|+hh:mm). Of a failure inside, OTP 25 shows another function than OTP 28.
-define(SYSTEM_TIME(Given, Options, Unit, Date, Time, Tail),
        begin
            {Fraction, Zone} = lists:splitwith(fun(C) -> C =:= $. orelse C >= $0 andalso C =< $9 end, Tail),
            Seconds = datetime_to_system_time({Date, Time}),
            Universal = check(Given, Options, Seconds - offset_string_adjustment(Seconds, second, Zone)),
            Scaled = erlang:convert_time_unit(Universal, second, Unit),
            case fraction(Unit, Fraction) of
                Part when ?TOWARDS_ZERO, Scaled < 0 -> Scaled - Part;
                Part -> Scaled + Part
            end
        end).

-if(?OTP_RELEASE >= 28).
rfc3339_to_system_time(Binary, Options) when is_binary(Binary) -> rfc3339_to_system_time_bin(Binary, Options);
rfc3339_to_system_time(List, Options) when is_list(List) -> rfc3339_to_system_time_list(List, Options).

rfc3339_to_system_time_bin(<<Y:4/binary, $-, Mo:2/binary, $-, D:2/binary, _, H:2/binary, $:, Mi:2/binary, $:, S:2/binary, Tail/binary>> = Binary, Options) ->
    [Hour, Minute, Second, Year, Month, Day] = [binary_to_integer(Digits) || Digits <- [H, Mi, S, Y, Mo, D]],
    rfc3339_to_system_time_1(Binary, Options, Year, Month, Day, Hour, Minute, Second, binary_to_list(Tail)).

rfc3339_to_system_time_list([Y1, Y2, Y3, Y4, $-, Mo1, Mo2, $-, D1, D2, _T, H1, H2, $:, Mi1, Mi2, $:, S1, S2 | Tail] = List, Options) ->
    {Hour, Minute, Second} = {list_to_integer([H1, H2]), list_to_integer([Mi1, Mi2]), list_to_integer([S1, S2])},
    {Year, Month, Day} = {list_to_integer([Y1, Y2, Y3, Y4]), list_to_integer([Mo1, Mo2]), list_to_integer([D1, D2])},
    rfc3339_to_system_time_1(List, Options, Year, Month, Day, Hour, Minute, Second, Tail).

rfc3339_to_system_time_1(Given, Options, Year, Month, Day, Hour, Minute, Second, Tail) ->
    Unit = proplists:get_value(unit, Options, second),
    ?SYSTEM_TIME(Given, Options, Unit, {Year, Month, Day}, {Hour, Minute, Second}, Tail).
-else.
rfc3339_to_system_time(String, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    %% YYYY-MM-DDThh:mm:ss
    [Y1, Y2, Y3, Y4, $-, Mo1, Mo2, $-, D1, D2, _T, H1, H2, $:, Mi1, Mi2, $:, S1, S2 | Tail] = String,
    Time = {list_to_integer([H1, H2]), list_to_integer([Mi1, Mi2]), list_to_integer([S1, S2])},
    Date = {list_to_integer([Y1, Y2, Y3, Y4]), list_to_integer([Mo1, Mo2]), list_to_integer([D1, D2])},
    ?SYSTEM_TIME(String, Options, Unit, Date, Time, Tail).
-endif.

datetime_to_system_time(DateTime) -> datetime_to_gregorian_seconds(DateTime) - ?SECONDS_0_TO_1970.

fraction(second, _) -> 0;
fraction(_, []) -> 0;
fraction(Unit, Fraction) -> round(factor(Unit) * list_to_float("0" ++ Fraction)).

factor(second) -> 1;
factor(millisecond) -> 1000;
factor(microsecond) -> 1000000;
factor(nanosecond) -> 1000000000;
factor(native) -> erlang:convert_time_unit(1, second, native).

system_time_to_rfc3339(Time) -> system_time_to_rfc3339(Time, []).

system_time_to_rfc3339(Time, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    Offset = proplists:get_value(offset, Options, ""),
    case Unit of
        native ->
            InMs = fun(T) -> erlang:convert_time_unit(T, native, millisecond) end,
            system_time_to_rfc3339_do(InMs(Time), Options, millisecond, if is_integer(Offset) -> InMs(Offset); true -> Offset end);
        _ -> system_time_to_rfc3339_do(Time, Options, Unit, Offset)
    end.

system_time_to_rfc3339_do(Time, Options, Unit, Offset) ->
    Designator = proplists:get_value(time_designator, Options, $T),
    East = offset_adjustment(Time, Unit, Offset),
    Zone = zone_text(Offset, East),
    Adjusted = Time + erlang:convert_time_unit(East, second, Unit),
    Factor = factor(Unit),
    Whole = Adjusted div Factor,
    {Seconds, Part} = if
        Adjusted rem Factor < 0, not ?TOWARDS_ZERO -> {Whole - 1, Adjusted rem Factor + Factor};
        true -> {Whole, Adjusted rem Factor}
    end,
    {{Y, Mo, D}, {H, Mi, S}} = gregorian_seconds_to_datetime(check(Time, Options, Seconds) + ?SECONDS_0_TO_1970),
    Text = lists:append([digits(Y, 4), "-", digits(Mo, 2), "-", digits(D, 2), [Designator], digits(H, 2), ":", digits(Mi, 2), ":", digits(S, 2),
                         fraction_text(Factor, Part), Zone]),
    case ?BINARIES andalso proplists:get_value(return, Options, string) of
        binary -> list_to_binary(Text);
        Kind when Kind =:= string; Kind =:= false -> Text
    end.

%% Four digits have to do for the year.
check(_, _, Seconds) when Seconds >= -?SECONDS_0_TO_1970, Seconds < 253402300800 -> Seconds;
check(Time, Options, _) -> erlang:error({badarg, [Time, Options]}).

%% Seconds east of Greenwich.
offset_adjustment(Time, Unit, "") -> local_offset(Time, Unit);
offset_adjustment(Time, Unit, Offset) when is_list(Offset) -> offset_string_adjustment(Time, Unit, Offset);
offset_adjustment(_, Unit, Offset) when is_integer(Offset) -> erlang:convert_time_unit(Offset, Unit, second).

offset_string_adjustment(_, _, Zulu) when Zulu =:= "Z"; Zulu =:= "z" -> 0;
offset_string_adjustment(_, _, Offset) ->
    [Sign, H1, H2 | Tail] = Offset,
    Hours = list_to_integer([H1, H2]),
    Minutes =
        case Tail of
            [] -> 0;
            [$:, M1, M2] -> list_to_integer([M1, M2])
        end,
    Seconds = Hours * ?HOUR + Minutes * ?MINUTE,
    case Sign of
        $+ -> Seconds;
        $- -> -Seconds
    end.

local_offset(Time, Unit) ->
    Universal = system_time_to_universal_time(Time, Unit),
    Local = erlang:universaltime_to_localtime(Universal),
    datetime_to_gregorian_seconds(Local) - datetime_to_gregorian_seconds(Universal).

zone_text([_ | _] = Offset, _) -> Offset;
zone_text(_, Seconds) when Seconds < 0 -> [$- | zone_digits(-Seconds)];
zone_text(_, Seconds) -> [$+ | zone_digits(Seconds)].

zone_digits(Secs) -> digits(Secs div ?HOUR, 2) ++ ":" ++ digits(Secs rem ?HOUR div ?MINUTE, 2).

fraction_text(1, _) -> "";
fraction_text(Factor, Fraction) -> "." ++ digits(abs(Fraction), length(integer_to_list(Factor)) - 1).

digits(N, Width) ->
    Digits = integer_to_list(N),
    lists:duplicate(erlang:max(0, Width - length(Digits)), $0) ++ Digits.
