%% The flag `scheduler`, which OTP does not document: kept and told; an option of a new process.
-module(scheduler_flag).
-export([main/0]).

main() ->
    io:format("~p ~p ~p~n", [process_flag(scheduler, 1), process_flag(scheduler, 1), process_flag(scheduler, 0)]),
    [io:format("~p~n", [catch element(1, element(2, catch process_flag(scheduler, Wrong)))]) || Wrong <- [a, -1, 1 bsl 40]],
    Me = self(),
    spawn_opt(fun() -> Me ! process_flag(scheduler, 0) end, [{scheduler, 1}]),
    io:format("~p~n", [receive N -> N end]).
