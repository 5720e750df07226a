%% max_heap_size: a process that outgrows it is killed, by spawn_opt or process_flag; others see `killed`.
-module(heap_limits).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Quiet = fun(N) -> #{size => N, kill => true, error_logger => false} end,
    {P1, R1} = spawn_opt(fun() -> grow([]) end, [monitor, {max_heap_size, Quiet(100000)}]),
    down(P1, R1),
    P2 = spawn_link(fun() -> process_flag(max_heap_size, Quiet(200000)), receive go -> ok end, L = lists:seq(1, 3000000), receive never -> L end end),
    P2 ! go,
    receive {'EXIT', P2, W} -> io:format("~p~n", [W]) end,
    {P3, R3} = spawn_opt(fun() -> exit({length, length(lists:seq(1, 1000))}) end, [monitor, {max_heap_size, Quiet(1000000)}]),
    down(P3, R3),
    {P4, R4} = spawn_opt(fun() -> process_flag(trap_exit, true), grow([]) end, [monitor, {max_heap_size, Quiet(50000)}]),
    down(P4, R4),
    {P5, R5} = spawn_opt(fun() -> churn(200000), exit(through) end, [monitor, {max_heap_size, Quiet(300000)}]),
    down(P5, R5),
    io:format("~p~n", [process_flag(max_heap_size, Quiet(0))]).

grow(L) -> grow([{a, b, c} | L]).
%% Garbage does not count.
churn(0) -> ok;
churn(N) -> _ = [N, N, N, {N}], churn(N - 1).
down(P, R) -> receive {'DOWN', R, process, P, W} -> io:format("~p~n", [W]) end.
