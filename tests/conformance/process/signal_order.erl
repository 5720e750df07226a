%% Signals between two processes keep their order, exits and messages alike.
-module(signal_order).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> receive go -> ok end, [self_send(N) || N <- [1, 2, 3]], drain() end), P ! a, P ! go, P ! b, exit(P, bye), receive {'EXIT', P, R} -> io:format("~w~n", [R]) end,
    Me = self(), Q = spawn(fun() -> [Me ! N || N <- lists:seq(1, 100)], exit(fin) end), M = monitor(process, Q), collect(1, Q, M).
self_send(N) -> self() ! N.
drain() -> receive never -> ok end.
collect(N, Q, M) -> receive {'DOWN', M, process, Q, W} -> io:format("~w after ~w~n", [lists:member(W, [fin, noproc]), N]); N -> collect(N + 1, Q, M) after 1000 -> io:format("stuck ~w~n", [N]) end.
