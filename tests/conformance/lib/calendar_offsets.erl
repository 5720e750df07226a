%% calendar: offsets of system_time_to_rfc3339/2, good and bad, and fractions before 1970.
-module(calendar_offsets).
-export([main/0]).

main() ->
    [t(T, [{offset, X}]) || T <- [0, -272, a],
                            X <- ["abc", "+1:00", "+01:0", "+0100", "+aa:00", "+01:aa", "*01:00", "-99:99", "Z", "z", "", "+00:00", "x", a,
                                  <<"+01:00">>, 1.5, 3600, -3600, "01:00", "+01:00:00", "++1:00", "+-1:00", [$+, a, b, $:, c, d], [a], "+",
                                  "-", "+0", "+01", "+01:"]],
    [t(T, [{unit, U}, {offset, O}]) || U <- [millisecond, microsecond, nanosecond, second],
                                       O <- ["-01:30", "Z", -3, 0, 3600000, -3600000000, 5999999999999],
                                       T <- [80, -80, -1000000, -1500000123, 1700000000123456789]],
    [t(T, [{time_designator, D}, {offset, "Z"}]) || T <- [0, -62167219201, 253402300800], D <- [$\s, "ab", x]].

t(Time, Options) ->
    R = try calendar:system_time_to_rfc3339(Time, Options)
        catch C:E:S -> {C, E, [{M, F, A} || {M, F, A, _} <- S, M =:= erlang orelse M =:= calendar]}
        end,
    io:format("~p ~p: ~0p~n", [Time, Options, R]).
