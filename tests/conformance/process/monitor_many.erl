%% Hundreds of monitored workers, some of which crash.
-module(monitor_many).
-export([main/0]).

main() -> Ws = [{N, spawn_monitor(fun() -> if N rem 7 =:= 0 -> exit({bad, N}); N rem 5 =:= 0 -> error(five); true -> exit(normal) end end)} || N <- lists:seq(1, 300)], Rs = [receive {'DOWN', R, process, P, W} -> {N, case W of {five, _} -> five; _ -> W end} end || {N, {P, R}} <- Ws], io:format("~w ~w ~w~n", [length([x || {_, normal} <- Rs]), length([x || {_, {bad, _}} <- Rs]), length([x || {_, five} <- Rs])]), io:format("~w~n", [lists:sublist([R || {_, W} = R <- Rs, W =/= normal], 8)]).
