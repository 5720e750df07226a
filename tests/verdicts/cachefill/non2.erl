%% A read-through cache in front of a slow "database". Loads run in helper
%% processes so that the cache itself never blocks; updates invalidate.
-module(cachefill).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/1, get/2, invalidate/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(st, {db, values = #{}, waiting = #{}}).

main() ->
    Db = spawn_link(fun() -> db(#{alice => 100, bob => 20}) end),
    {ok, Cache} = start_link(Db),
    Self = self(),
    Readers = [spawn_link(fun() ->
                   [get(Cache, K) || K <- [alice, bob, alice]],
                   Self ! {done, self()}
               end) || _ <- [1, 2]],
    Writer = spawn_link(fun() ->
                 invalidate(Cache, alice),
                 put_db(Db, alice, 150),
                 invalidate(Cache, alice),
                 Self ! {done, self()}
             end),
    [receive {done, P} -> ok end || P <- [Writer | Readers]],
    case get(Cache, alice) of
        150 -> io:format("cache is fresh~n");
        Old -> error({stale_cache, alice, Old})
    end.

%% ---- API

start_link(Db) -> gen_server:start_link(?MODULE, Db, []).
get(Cache, Key) -> gen_server:call(Cache, {get, Key}).
invalidate(Cache, Key) -> gen_server:call(Cache, {invalidate, Key}).

%% ---- server

init(Db) -> {ok, #st{db = Db}}.

handle_call({get, Key}, From, S = #st{values = Vs, waiting = W}) ->
    case Vs of
        #{Key := V} ->
            {reply, V, S};
        #{} when is_map_key(Key, W) ->
            {noreply, S#st{waiting = W#{Key := [From | maps:get(Key, W)]}}};
        #{} ->
            load(S#st.db, Key),
            {noreply, S#st{waiting = W#{Key => [From]}}}
    end;
handle_call({invalidate, Key}, _From, S = #st{values = Vs}) ->
    {reply, ok, S#st{values = maps:remove(Key, Vs)}}.

handle_cast({loaded, Key, V}, S = #st{values = Vs, waiting = W}) ->
    [gen_server:reply(From, V) || From <- maps:get(Key, W, [])],
    {noreply, S#st{values = Vs#{Key => V}, waiting = maps:remove(Key, W)}}.

handle_info(_, S) -> {noreply, S}.

load(Db, Key) ->
    Cache = self(),
    spawn_link(fun() -> gen_server:cast(Cache, {loaded, Key, get_db(Db, Key)}) end).

%% ---- the database

db(Rows) ->
    receive
        {get, From, Ref, K} -> From ! {Ref, maps:get(K, Rows)}, db(Rows);
        {put, From, Ref, K, V} -> From ! {Ref, ok}, db(Rows#{K => V})
    end.

get_db(Db, K) -> ask(Db, fun(R) -> {get, self(), R, K} end).
put_db(Db, K, V) -> ask(Db, fun(R) -> {put, self(), R, K, V} end).
ask(Db, F) ->
    Ref = make_ref(),
    Db ! F(Ref),
    receive {Ref, A} -> A end.
