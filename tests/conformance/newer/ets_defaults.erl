%% lookup_element/4 and update_element/4, and what 26 and later say of wrong arguments.
-module(ets_defaults).
-export([main/0]).

main() ->
    S = ets:new(s, []),
    O = ets:new(o, [ordered_set, {keypos, 2}]),
    B = ets:new(b, [bag]),
    io:format("~p~n", [[ets:lookup_element(T, k, 2, none) || T <- [S, O, B]]]),
    ets:insert(S, {k, 1, 2}), ets:insert(O, {1, k}), ets:insert(B, {k, b}), ets:insert(B, {k, c}),
    io:format("~p~n", [[ets:lookup_element(S, k, 3, none), ets:lookup_element(O, k, 1, none), lists:sort(ets:lookup_element(B, k, 2, none))]]),
    io:format("~p ~p~n", [ets:update_element(S, k, {2, two}, {z, z, z}), ets:lookup(S, k)]),
    io:format("~p ~p~n", [ets:update_element(S, new, {2, two}, {z, y, x}), ets:lookup(S, new)]),
    io:format("~p ~p~n", [ets:update_element(S, newer, [{2, two}, {3, three}, {2, again}], {z, y, x, w}), ets:lookup(S, newer)]),
    io:format("~p ~p~n", [ets:update_element(S, newest, [], {z, y}), ets:lookup(S, newest)]),
    io:format("~p ~p~n", [ets:update_element(O, 2, {1, one}, {zero, x}), ets:lookup(O, 2)]),
    io:format("~p ~p~n", [ets:update_counter(S, counter, {2, 5}, {x, 10}), ets:update_counter(S, counter, 2, {x, 10})]),
    Wrong = [{lookup_element, [S, k, 9, none]}, {lookup_element, [S, k, 0, none]}, {lookup_element, [S, absent, 0, none]},
             {lookup_element, [S, absent, a, none]}, {lookup_element, [none, k, 1, none]},
             {update_element, [S, absent, {9, x}, {a, b}]}, {update_element, [S, k, {9, x}, {a, b}]}, {update_element, [S, absent, {1, x}, {a, b}]},
             {update_element, [S, absent, {2, x}, {}]}, {update_element, [O, absent, {1, x}, {a}]}, {update_element, [S, absent, {2, x}, list]},
             {update_element, [S, absent, x, {a, b}]}, {update_element, [S, absent, [{2, x}, y], {a, b}]}, {update_element, [B, absent, {2, x}, {a, b}]},
             {update_element, [none, k, {2, x}, {a, b}]}, {update_element, [S, k, {0, x}]}, {update_element, [S, k, {-1, x}]}, {update_element, [S, k, {9, x}]},
             {update_element, [S, k, [{2, x}, {9, y}]]}, {update_element, [S, k, {1, x}]}, {update_element, [S, k, {a, x}]},
             {update_counter, [S, absent, {2, 1}, {}]}, {update_counter, [O, absent, {1, 1}, {0}]}, {update_counter, [S, absent, {2, 1}, x]},
             {update_counter, [S, absent, {9, 1}, {a, 1}]}, {update_counter, [S, absent, {2, 1}, {a, b}]}],
    [failing(F, A) || {F, A} <- Wrong],
    %% What failed has changed nothing.
    io:format("~p ~p~n", [ets:lookup(S, k), ets:lookup(S, absent)]).

failing(F, Args) ->
    try apply(ets, F, Args) of R -> io:format("~p: ~p~n", [F, R])
    catch error:Reason:Stack ->
        [{M, F, A, Info} | _] = Stack,
        {error_info, #{module := Module} = Map} = lists:keyfind(error_info, 1, Info),
        io:format("~p ~p:~p/~p ~p ~p~n", [Reason, M, F, length(A), maps:get(cause, Map, none),
                                           lists:sort(maps:to_list(Module:format_error(Reason, Stack)))])
    end.
