%% calendar: pure functions.
-module(calendar_calls).
-export([main/0]).

main() ->
    p(calendar:date_to_gregorian_days(2024, 2, 29)), p(calendar:date_to_gregorian_days({1970, 1, 1})), p(calendar:gregorian_days_to_date(738000)), p(calendar:datetime_to_gregorian_seconds({{2000, 1, 1}, {0, 0, 0}})), p(calendar:gregorian_seconds_to_datetime(63113904000)), p(calendar:day_of_the_week(2024, 3, 1)), p(calendar:day_of_the_week({2023, 12, 25})), p(calendar:is_leap_year(2000)), p(calendar:is_leap_year(1900)), p(calendar:last_day_of_the_month(2024, 2)), p(calendar:last_day_of_the_month(2023, 2)), p(calendar:iso_week_number({2021, 1, 3})), p(calendar:seconds_to_daystime(100000)), p(calendar:seconds_to_time(3661)), p(calendar:time_to_seconds({1, 1, 1})), p(calendar:time_difference({{2000, 1, 1}, {0, 0, 0}}, {{2000, 1, 2}, {1, 2, 3}})), p(calendar:valid_date(2023, 2, 29)), p(calendar:valid_date({2024, 2, 29})), p(calendar:now_to_universal_time({1700, 0, 0})), p(calendar:system_time_to_universal_time(0, second)), p(calendar:rfc3339_to_system_time("2018-02-01T16:17:58+01:00")), p(calendar:system_time_to_rfc3339(1517498278, [{offset, "Z"}])), p(try calendar:date_to_gregorian_days(2023, 13, 1) catch error:E -> E end).

p(X) -> io:format("~w~n", [X]).
