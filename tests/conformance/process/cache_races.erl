%% A cache in a public table: many fill the same key, one computes, others wait; entries expire and are evicted.
-module(cache_races).
-export([main/0]).

main() ->
    T = ets:new(cache, [public, set, {read_concurrency, true}]),
    S = ets:new(stats, [public]),
    ets:insert(S, [{computed, 0}, {hits, 0}, {waits, 0}]),
    Rs = [spawn_monitor(fun() -> exit({got, [fetch(T, S, K) || K <- [N rem 3, (N + 1) rem 3, 0]]}) end) || N <- lists:seq(1, 10)],
    Got = [receive {'DOWN', R, process, P, W} -> W end || {P, R} <- Rs],
    io:format("~p~n", [lists:usort([V || {got, L} <- Got, V <- L])]),
    [{_, C}, {_, H}, {_, W}] = [hd(ets:lookup(S, K)) || K <- [computed, hits, waits]],
    io:format("~p ~p~n", [C, H + W + C]),
    Evicted = ets:select_delete(T, [{{'_', {value, '$1'}}, [{'>', '$1', 0}], [true]}]),
    io:format("~p ~p~n", [Evicted, lists:sort(ets:tab2list(T))]),
    io:format("~p~n", [lists:sort([fetch(T, S, K) || K <- [0, 1, 2]])]),
    Es = [spawn_monitor(fun() -> exit({took, ets:take(T, K)}) end) || K <- [0, 0, 1, 1, 2, 2]],
    Took = [receive {'DOWN', R, process, P, {took, X}} -> X end || {P, R} <- Es],
    io:format("~p ~p~n", [lists:sort(lists:append(Took)), ets:info(T, size)]).

fetch(T, S, K) ->
    case ets:insert_new(T, {K, {computing, self()}}) of
        true ->
            ets:update_counter(S, computed, 1),
            V = lists:sum(lists:seq(1, K * 100)),
            Waiting = waiting(T, K),
            ets:insert(T, {K, {value, V}}),
            [P ! {value, K, V} || P <- Waiting ++ waiting(T, K)],
            V;
        false ->
            case ets:lookup(T, K) of
                [{K, {value, V}}] -> ets:update_counter(S, hits, 1), V;
                [{K, {computing, _}}] ->
                    ets:insert(T, {{wait, K, self()}}),
                    case ets:lookup(T, K) of
                        [{K, {value, V}}] -> ets:delete(T, {wait, K, self()}), flush(K), ets:update_counter(S, hits, 1), V;
                        _ -> receive {value, K, V} -> ets:update_counter(S, waits, 1), V after 20 -> again(T, S, K) end
                    end
            end
    end.

again(T, S, K) -> ets:delete(T, {wait, K, self()}), fetch(T, S, K).
waiting(T, K) -> [begin ets:delete(T, {wait, K, P}), P end || [P] <- ets:match(T, {{wait, K, '$1'}})].
flush(K) -> receive {value, K, _} -> ok after 0 -> ok end.
