%% `statistics(scheduler_wall_time)`.
-module(wall_time).
-export([main/0]).
main() ->
    erlang:system_flag(scheduler_wall_time, true),
    Times = statistics(scheduler_wall_time),
    io:format("~p~n", [lists:all(fun({_, Active, Total}) -> Active =:= Total end, Times)]).
