%% System times from local and universal times, binaries, and times before 1970.
-module(calendar_new).
-export([main/0]).

main() ->
    Times = [{{1970, 1, 1}, {0, 0, 0}}, {{2024, 2, 29}, {12, 34, 56}}, {{1969, 12, 31}, {23, 59, 59}}, {{0, 1, 1}, {0, 0, 0}}, {{9999, 12, 31}, {23, 59, 59}}, {{2023, 2, 29}, {0, 0, 0}}, {{2023, 1, 1}, {25, 0, 0}}, x],
    [show(io_lib:format("universal ~0p ~0p", [T, O]), fun() -> calendar:universal_time_to_system_time(T, O) end)
     || T <- Times, O <- [[], [{unit, second}], [{unit, millisecond}], [{unit, microsecond}], [{unit, nanosecond}], [{unit, x}], x]],
    [show(io_lib:format("universal ~0p", [T]), fun() -> calendar:universal_time_to_system_time(T) end) || T <- Times],
    [show("local", fun() -> calendar:local_time_to_system_time(calendar:universal_time_to_local_time(T)) =:= calendar:universal_time_to_system_time(T) end) || T <- lists:sublist(Times, 2)],
    [show("local", fun() -> calendar:local_time_to_system_time(calendar:universal_time_to_local_time(T), [{unit, millisecond}]) =:= calendar:universal_time_to_system_time(T, [{unit, millisecond}]) end)
     || T <- lists:sublist(Times, 2)],
    Texts = ["2018-02-01T16:17:58+01:00", "2018-02-01 15:18:02.088Z", "1969-12-31T23:59:59.750Z", "1969-12-31T23:59:59.999999999Z", "1960-01-01T00:00:00.1-02:30", "1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z",
             "2018-13-01T00:00:00Z", "2018-02-01T16:17", "nonsense", ""],
    [show(io_lib:format("from ~0p ~0p", [T, U]), fun() -> calendar:rfc3339_to_system_time(T, [{unit, U}]) end) || T <- Texts, U <- [second, millisecond, nanosecond]],
    [show(io_lib:format("from ~0p", [T]), fun() -> element(1, {calendar:rfc3339_to_system_time(list_to_binary(T), [{unit, millisecond}])}) end) || T <- lists:sublist(Texts, 7)],
    show("binary", fun() -> calendar:rfc3339_to_system_time(<<"2018-02-01T16:17:58Z">>) end),
    [show(io_lib:format("to ~0p ~0p", [N, U]), fun() -> calendar:system_time_to_rfc3339(N, [{unit, U}, {offset, "Z"}]) end)
     || N <- [0, -1, -250, -1000, -1001, 1517498278, 1517498278088, -62167219200, -62167219201], U <- [second, millisecond, microsecond]],
    [show(io_lib:format("to ~0p", [R]), fun() -> calendar:system_time_to_rfc3339(1517498278, [{offset, "+02:00"}, {return, R}]) end) || R <- [string, binary]],
    [show(io_lib:format("to ~0p", [O]), fun() -> calendar:system_time_to_rfc3339(-1500, [{unit, millisecond}, {offset, O}, {time_designator, $\s}]) end) || O <- ["Z", "z", "-01:30", 3600000, 0]].

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
