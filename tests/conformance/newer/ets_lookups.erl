%% first_lookup/1, last_lookup/1, next_lookup/2, prev_lookup/2.
-module(ets_lookups).
-export([main/0]).

main() ->
    O = ets:new(o, [ordered_set]),
    io:format("~p ~p~n", [ets:first_lookup(O), ets:last_lookup(O)]),
    ets:insert(O, [{1, a, b}, {2, c}, {{x, 3}, d}, {"k", e}]),
    io:format("~p~n~p~n", [forward(O, ets:first_lookup(O)), backward(O, ets:last_lookup(O))]),
    io:format("~p~n", [[ets:next_lookup(O, K) || K <- [0, 1, 1.0, 1.5, 2, "k", "z"]]]),
    io:format("~p~n", [[ets:prev_lookup(O, K) || K <- [0, 1, 1.0, 1.5, 2, "k", "z"]]]),
    ets:insert(O, {1.0, float}),
    io:format("~p ~p~n", [ets:first_lookup(O), ets:next_lookup(O, 1.0)]),
    S = ets:new(s, [{keypos, 2}]),
    ets:insert(S, {a, key, b}),
    io:format("~p ~p ~p~n", [ets:first_lookup(S), ets:last_lookup(S), ets:next_lookup(S, key)]),
    B = ets:new(b, [bag]),
    ets:insert(B, {1, a}), ets:insert(B, {1, b}), ets:insert(B, {1, c}),
    {1, Objects} = ets:first_lookup(B),
    io:format("~p ~p~n", [lists:sort(Objects), ets:next_lookup(B, 1)]),
    D = ets:new(d, [duplicate_bag]),
    ets:insert(D, [{1, a}, {1, a}]),
    io:format("~p ~p~n", [ets:last_lookup(D), ets:prev_lookup(D, 1)]),
    fixed(),
    [failing(F, A) || {F, A} <- [{first_lookup, [none]}, {last_lookup, [1]}, {next_lookup, [none, 1]}, {next_lookup, [S, absent]},
                                  {prev_lookup, [S, absent]}, {prev_lookup, [make_ref(), x]}, {next_lookup, [O, '$end_of_table']}]],
    P = ets:new(p, [private]),
    {_, Ref} = spawn_monitor(fun() -> failing(first_lookup, [P]) end),
    receive {'DOWN', Ref, _, _, normal} -> ok end.

%% While a table is fixed, a walk goes on from a key that was deleted.
fixed() ->
    T = ets:new(t, []),
    ets:insert(T, {only, 1}),
    ets:safe_fixtable(T, true),
    {only, [{only, 1}]} = ets:first_lookup(T),
    ets:delete(T, only),
    io:format("~p ~p~n", [ets:first_lookup(T), ets:next_lookup(T, only)]),
    ets:safe_fixtable(T, false).

forward(_, '$end_of_table') -> [];
forward(T, {Key, Objects}) -> [{Key, Objects} | forward(T, ets:next_lookup(T, Key))].

backward(_, '$end_of_table') -> [];
backward(T, {Key, Objects}) -> [{Key, Objects} | backward(T, ets:prev_lookup(T, Key))].

failing(F, Args) ->
    try apply(ets, F, Args) of R -> io:format("~p: ~p~n", [F, R])
    catch error:Reason:Stack ->
        [{M, F, A, Info} | _] = Stack,
        {error_info, #{module := Module}} = lists:keyfind(error_info, 1, Info),
        io:format("~p ~p:~p/~p ~p~n", [Reason, M, F, length(A), lists:sort(maps:to_list(Module:format_error(Reason, Stack)))])
    end.
