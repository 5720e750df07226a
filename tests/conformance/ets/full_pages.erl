%% Pages of a search that end with the last object; what ets:info says of concurrency; a new name that is the old one.
-module(full_pages).
-export([main/0]).
main() ->
    Kinds = [set, ordered_set, bag],
    Prot = [private, public, protected],
    WC = [[], [{write_concurrency, false}], [{write_concurrency, true}], [{write_concurrency, auto}]],
    DC = [[], [{decentralized_counters, true}], [{decentralized_counters, false}]],
    [begin
        T = ets:new(x, [K, P] ++ W ++ D),
        io:format("~0p ~0p ~0p~n", [[K, P] ++ W ++ D, ets:info(T, write_concurrency), ets:info(T, decentralized_counters)]),
        ets:delete(T)
     end || K <- Kinds, P <- Prot, W <- WC, D <- DC],
    [begin
        T = ets:new(x, [K]),
        ets:insert(T, [{N} || N <- lists:seq(1, N0)]),
        R = [begin X = ets:F(T, [{'_', [], ['$_']}], L), {F, L, case X of {Y, C} -> {length(Y), C =:= '$end_of_table'}; _ -> X end} end
             || F <- [select, select_reverse], L <- [1, 2, 3]],
        io:format("~p ~p ~0p~n", [K, N0, R])
     end || K <- [set, ordered_set, bag, duplicate_bag], N0 <- [0, 1, 2, 3]],
    some_keys(),
    N = ets:new(n, [named_table]),
    io:format("~p~n", [catch ets:rename(N, n)]),
    T1 = ets:new(m, []),
    io:format("~p~n", [ets:rename(T1, m) =:= T1]),
    T2 = ets:new(x, [ordered_set]),
    ets:insert(T2, [{1}, {2}]),
    {_, More} = ets:select(T2, [{'_', [], ['$_']}], 2),
    ets:insert(T2, {3}),
    io:format("~p~n", [element(1, ets:select(More))]).

some_keys() ->
    [begin
        T = ets:new(x, [K]),
        ets:insert(T, [{N, a} || N <- lists:seq(1, 5)] ++ [{3, b}]),
        R = [begin X = ets:F(T, P, L), {F, L, case X of {Y, C} -> {length(Y), C =:= '$end_of_table'}; _ -> X end} end
             || {F, P} <- [{select, [{{3, '_'}, [], ['$_']}]}, {select_reverse, [{{3, '_'}, [], ['$_']}]}, {match, {3, '$1'}}, {match_object, {3, '_'}},{match_object, {'_', '_'}}, {match, {'_','$1'}}], L <- [1, 2, 3, 5, 6]],
        io:format("~p ~0p~n", [K, R])
     end || K <- [set, ordered_set, bag, duplicate_bag]].
