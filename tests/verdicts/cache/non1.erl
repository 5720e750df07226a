%% A read-through cache in ETS before a slow store. Writers invalidate.
-module(cache).
-export([main/0]).

main() ->
    ets:new(cache, [named_table, public, set]),
    Store = spawn_link(fun() -> store(#{k1 => 0, k2 => 0}) end),
    Me = self(),
    Readers = [spawn_link(fun() -> reader(Store, K, 3), Me ! {done, self()} end)
               || K <- [k1, k2, k1]],
    Writers = [spawn_link(fun() -> writer(Store, K, [1, 2]), Me ! {done, self()} end)
               || K <- [k1, k2]],
    [receive {done, P} -> ok end || P <- Readers ++ Writers],
    lists:foreach(fun(K) -> check(Store, K) end, [k1, k2]),
    Store ! stop,
    ok.

check(Store, K) ->
    Real = fetch(Store, K),
    case get_value(Store, K) of
        Real -> ok;
        Stale -> exit({stale, K, Stale, Real})
    end.

reader(_, _, 0) -> ok;
reader(Store, K, N) ->
    V = get_value(Store, K),
    true = is_integer(V),
    reader(Store, K, N - 1).

writer(Store, K, Vs) ->
    lists:foreach(fun(V) -> put_value(Store, K, V) end, Vs).

get_value(Store, K) ->
    case ets:lookup(cache, K) of
        [{_, V}] -> V;
        [] ->
            V = fetch(Store, K),
            ets:insert(cache, {K, V}),
            V
    end.

put_value(Store, K, V) ->
    ets:delete(cache, K),
    Store ! {put, self(), K, V},
    receive {Store, ok} -> ok end,
    ets:delete(cache, K).

fetch(Store, K) ->
    Store ! {get, self(), K},
    receive {Store, value, V} -> V end.

store(Map) ->
    receive
        {get, From, K} -> From ! {self(), value, maps:get(K, Map)}, store(Map);
        {put, From, K, V} -> From ! {self(), ok}, store(Map#{K => V});
        stop -> ok
    end.
