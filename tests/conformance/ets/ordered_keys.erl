%% Keys of ordered sets: structures that differ inside, improper lists, numbers that are equal.
-module(ordered_keys).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{[], 1.5}, {[1 | x], 2}, {a, 1}]),
    io:format("~p ~p ~p~n", [ets:tab2list(T), ets:last(T), ets:info(T, size)]),
    ets:delete_all_objects(T),
    Keys = [{a, {b, 1}}, {a, {b, 2}}, {a, {b, 1.0}}, {a, [1]}, {a, [[]]}, {a, [[1]]}, {a, #{}}, {a, #{x => 1}}, {a, #{x => 1.0}}, {a, #{1 => x}},
            {a, #{1.0 => x}}, [[1], 2], [[2], 2], [[2 | 1], 2], 1 bsl 60, 1 bsl 60 + 1, float(1 bsl 60), 1 bsl 200, float(1 bsl 200), 1.0e300, 0, 0.0, -0.0,
            <<1>>, <<1:4>>, {}, {{}}, {{{}}}],
    ets:insert(T, [{Key, N} || {N, Key} <- lists:enumerate(Keys)]),
    [io:format("~p~n", [Row]) || Row <- ets:tab2list(T)],
    io:format("~p~n", [[ets:lookup_element(T, Key, 2) || Key <- Keys]]),
    [ets:delete(T, Key) || Key <- lists:sublist(Keys, 10)],
    io:format("~p~n", [[N || {_, N} <- ets:tab2list(T)]]),
    U = ets:new(u, [ordered_set]),
    ets:insert(U, [{1, a}, {1.0, b}]),
    io:format("~p ~p ~p ~p ~p~n", [ets:first(U), ets:last(U), ets:next(U, 0), ets:prev(U, 2), ets:tab2list(U)]),
    ets:insert(U, [{1.0, c}, {1, d}]),
    io:format("~p ~p~n", [ets:first(U), ets:tab2list(U)]),
    ets:insert(U, [{1, c}, {1.0, d}]),
    io:format("~p ~p~n", [ets:first(U), ets:tab2list(U)]).
