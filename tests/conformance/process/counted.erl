%% counters and atomics shared by many processes: additions that cross, reads between them, swaps and overwriting.
-module(counted).
-export([main/0]).

main() ->
    C = counters:new(3, [write_concurrency]),
    A = atomics:new(2, [{signed, false}]),
    Me = self(),
    Adders = [spawn_monitor(fun() -> add(C, A, N, 20) end) || N <- lists:seq(1, 6)],
    Watchers = [spawn_monitor(fun() -> watch(C, 0, 15, Me) end) || _ <- [1, 2]],
    [receive {rising, true} -> ok end || _ <- Watchers],
    [receive {'DOWN', R, process, P, normal} -> ok end || {P, R} <- Adders ++ Watchers],
    io:format("~p ~p ~p~n", [counters:get(C, 1), counters:get(C, 2), counters:get(C, 3)]),
    io:format("~p ~p~n", [atomics:get(A, 1), atomics:get(A, 2)]),
    counters:put(C, 1, 7), counters:add(C, 1, 1), counters:sub(C, 1, 3),
    io:format("~p~n", [counters:get(C, 1)]),
    io:format("~p ~p~n", [atomics:exchange(A, 1, 5), atomics:compare_exchange(A, 1, 5, 6)]),
    io:format("~p ~p ~p~n", [atomics:compare_exchange(A, 1, 5, 9), atomics:add_get(A, 1, 4), atomics:sub_get(A, 1, 11)]),
    %% Who comes last of five counts to five.
    Last = [spawn_monitor(fun() -> exit({nth, atomics:add_get(A, 2, 1)}) end) || _ <- lists:seq(1, 5)],
    io:format("~p~n", [lists:sort([receive {'DOWN', R, process, P, {nth, N}} -> N - 240 end || {P, R} <- Last])]).

add(_, _, _, 0) -> ok;
add(C, A, N, K) ->
    counters:add(C, 1, N),
    counters:sub(C, 2, 1),
    K rem 7 =:= 0 andalso counters:get(C, 3),
    K rem 5 =:= 0 andalso counters:add(C, 3, K),
    atomics:add(A, 1, N),
    atomics:add_get(A, 2, 2),
    add(C, A, N, K - 1).

%% What only rises is never seen falling.
watch(_, _, 0, Me) -> Me ! {rising, true};
watch(C, Seen, K, Me) ->
    case counters:get(C, 1) of
        Now when Now >= Seen -> erlang:yield(), watch(C, Now, K - 1, Me);
        Now -> Me ! {rising, {Seen, Now}}
    end.
