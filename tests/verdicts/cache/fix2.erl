%% The store owns the table and writes through: readers never insert.
-module(cache).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Store} = gen_server:start_link(?MODULE, [k1, k2], []),
    Me = self(),
    Readers = [spawn_link(fun() -> [read(Store, K) || _ <- lists:seq(1, 3)], Me ! {done, self()} end)
               || K <- [k1, k2, k1]],
    Writers = [spawn_link(fun() -> [ok = gen_server:call(Store, {put, K, V}) || V <- [1, 2]],
                                   Me ! {done, self()} end)
               || K <- [k1, k2]],
    [receive {done, P} -> ok end || P <- Readers ++ Writers],
    lists:foreach(fun(K) ->
        Real = gen_server:call(Store, {get, K}),
        case read(Store, K) of
            Real -> ok;
            Stale -> exit({stale, K, Stale, Real})
        end
    end, [k1, k2]),
    gen_server:stop(Store).

read(Store, K) ->
    case ets:lookup(cache, K) of
        [{_, V}] -> V;
        [] -> gen_server:call(Store, {get, K})
    end.

init(Keys) ->
    ets:new(cache, [named_table, protected, set]),
    {ok, maps:from_list([{K, 0} || K <- Keys])}.

handle_call({get, K}, _From, Map) ->
    V = maps:get(K, Map),
    ets:insert(cache, {K, V}),
    {reply, V, Map};
handle_call({put, K, V}, _From, Map) ->
    ets:insert(cache, {K, V}),
    {reply, ok, Map#{K := V}}.

handle_cast(_, S) -> {noreply, S}.
