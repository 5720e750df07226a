%% A read-through cache: the reader fills it with what the database said before the write, after the writer's invalidation.
-module(@MOD@).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    Rows = maps:from_list([{limit, 10} | [{{row, I}, I} || I <- lists:seq(1, 8)]]),
    {ok, Db} = gen_server:start_link(?MODULE, {db, Rows}, []),
    {ok, Cache} = gen_server:start_link(?MODULE, {cache, #{}}, []),
    Self = self(),
    Pids = [spawn_link(fun() -> F(), Self ! {finished, self()} end)
            || F <- [fun() -> browse(Db, Cache, 1, @LOAD@) end,
                     fun() -> browse(Db, Cache, 5, @LOAD@ div 2), _ = read(Db, Cache, limit), browse(Db, Cache, 3, @LOAD@ div 2) end,
                     fun() -> browse(Db, Cache, 2, @LOAD@ div 2), write(Db, Cache, limit, 25), browse(Db, Cache, 4, @LOAD@ div 2) end]],
    [receive {finished, P} -> ok end || P <- Pids],
    case read(Db, Cache, limit) of
        25 -> ok;
        Old -> error({stale, limit, Old})
    end.

browse(_, _, _, 0) -> ok;
browse(Db, Cache, I, N) ->
    Key = {row, 1 + (I * N) rem 8},
    _ = read(Db, Cache, Key),
    case N rem 6 of
        0 -> write(Db, Cache, Key, N);
        _ -> ok
    end,
    browse(Db, Cache, I, N - 1).

read(Db, Cache, Key) ->
    case gen_server:call(Cache, {get, Key}) of
        {ok, Value} -> Value;
        miss ->
            Value = gen_server:call(Db, {select, Key}),
            gen_server:cast(Cache, {fill, Key, Value}),
            Value
    end.

write(Db, Cache, Key, Value) ->
    ok = gen_server:call(Db, {update, Key, Value}),
    gen_server:cast(Cache, {invalidate, Key}).

init(S) -> {ok, S}.

handle_call({select, K}, _, {db, M} = S) -> {reply, maps:get(K, M), S};
handle_call({update, K, V}, _, {db, M}) -> {reply, ok, {db, M#{K => V}}};
handle_call({get, K}, _, {cache, M} = S) ->
    case M of
        #{K := V} -> {reply, {ok, V}, S};
        #{} -> {reply, miss, S}
    end.

handle_cast({fill, K, V}, {cache, M}) -> {noreply, {cache, M#{K => V}}};
handle_cast({invalidate, K}, {cache, M}) -> {noreply, {cache, maps:remove(K, M)}}.
