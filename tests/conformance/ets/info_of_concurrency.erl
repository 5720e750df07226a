%% What ets:info says of concurrency; a new name that is the old one.
-module(info_of_concurrency).
-export([main/0]).

main() ->
    Kinds = [set, ordered_set, bag],
    Protections = [private, public, protected],
    Writes = [[], [{write_concurrency, false}], [{write_concurrency, true}], [{write_concurrency, auto}]],
    Counters = [[], [{decentralized_counters, true}], [{decentralized_counters, false}]],
    [says([K, P] ++ W ++ C) || K <- Kinds, P <- Protections, W <- Writes, C <- Counters],
    N = ets:new(n, [named_table]),
    io:format("~p~n", [catch ets:rename(N, n)]),
    T = ets:new(m, []),
    io:format("~p~n", [ets:rename(T, m) =:= T]).

says(Options) ->
    T = ets:new(x, Options),
    io:format("~0p ~0p ~0p~n", [Options, ets:info(T, write_concurrency), ets:info(T, decentralized_counters)]),
    ets:delete(T).
