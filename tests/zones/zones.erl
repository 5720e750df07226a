%% What depends on the time zone. `capture.sh` runs it under OTP's `erl`, the test `zones` under `tracer`.
-module(zones).
-export([main/0]).

main() ->
    Universal = [{{1970, 1, 1}, {0, 0, 0}}, {{1969, 12, 31}, {23, 59, 59}}, {{1920, 6, 1}, {12, 0, 0}}, {{1943, 6, 1}, {12, 0, 0}},
                 {{1974, 1, 10}, {12, 0, 0}}, {{2000, 2, 29}, {23, 30, 0}}, {{2024, 1, 15}, {12, 0, 0}}, {{2024, 7, 15}, {12, 0, 0}},
                 {{2024, 3, 10}, {6, 59, 59}}, {{2024, 3, 10}, {7, 0, 0}}, {{2024, 3, 31}, {0, 59, 59}}, {{2024, 3, 31}, {1, 0, 0}},
                 {{2024, 4, 6}, {14, 59, 59}}, {{2024, 4, 6}, {15, 0, 0}}, {{2024, 10, 5}, {15, 29, 59}}, {{2024, 10, 5}, {15, 30, 0}},
                 {{2024, 10, 27}, {0, 59, 59}}, {{2024, 10, 27}, {1, 0, 0}}, {{2024, 11, 3}, {5, 59, 59}}, {{2024, 11, 3}, {6, 0, 0}},
                 {{2100, 7, 1}, {12, 0, 0}}, {{2400, 1, 1}, {12, 0, 0}}, {{9999, 7, 1}, {12, 0, 0}}],
    [io:format("~w is ~w~n", [U, erlang:universaltime_to_localtime(U)]) || U <- Universal],
    Local = [{{1970, 1, 1}, {0, 0, 0}}, {{1950, 6, 1}, {12, 0, 0}}, {{2024, 1, 15}, {12, 0, 0}}, {{2024, 7, 15}, {12, 0, 0}},
             {{2024, 3, 10}, {2, 30, 0}}, {{2024, 3, 31}, {2, 30, 0}}, {{2024, 4, 7}, {1, 45, 0}}, {{2024, 10, 6}, {2, 15, 0}},
             {{2024, 10, 27}, {2, 30, 0}}, {{2024, 11, 3}, {1, 30, 0}}, {{2100, 7, 1}, {12, 0, 0}}, {{9999, 7, 1}, {12, 0, 0}}],
    [io:format("~w ~w is ~w~n", [L, Dst, erlang:localtime_to_universaltime(L, Dst)])
     || L <- Local ++ lists:reverse(Local), Dst <- [undefined, true, false]],
    [io:format("~w is ~w~n", [L, erlang:localtime_to_universaltime(L)]) || L <- Local],
    [io:format("~w can be ~w~n", [L, calendar:local_time_to_universal_time_dst(L)]) || L <- Local],
    io:format("~w~n", [try calendar:local_time_to_universal_time(hd(Local), foo) catch error:Reason -> Reason end]),
    [io:format("~w: ~w ~s~n", [T, calendar:system_time_to_local_time(T, second), calendar:system_time_to_rfc3339(T)])
     || T <- [0, 1705320000, 1721044800, 1729990800, 4118040000]],
    io:format("~w~n", [calendar:now_to_local_time({1721, 44800, 0})]),
    File = "zones.tmp",
    [begin
         [] = os:cmd("touch -d @" ++ integer_to_list(T) ++ " " ++ File),
         Times = [begin
                      {ok, Info} = file:read_file_info(File, Options),
                      element(6, Info)
                  end || Options <- [[], [{time, local}], [{time, universal}], [{time, posix}]]],
         io:format("~w: ~w ~w~n", [T, Times, filelib:last_modified(File)])
     end || T <- [1705320000, 1721044800]],
    ok = file:delete(File),
    Now = calendar:datetime_to_gregorian_seconds(calendar:universal_time()),
    Here = calendar:datetime_to_gregorian_seconds(erlang:localtime()),
    There = calendar:datetime_to_gregorian_seconds(erlang:universaltime_to_localtime(calendar:gregorian_seconds_to_datetime(Now))),
    io:format("~w~n", [Here - There < 5 andalso calendar:datetime_to_gregorian_seconds({date(), time()}) - Here < 5]).
