%% A read-through cache in front of a slow "database". Loads run in helper
%% processes so that the cache itself never blocks; updates invalidate.
-module(cachefill).
-behaviour(gen_server).
-export([main/0]).
-export([start_link/1, get/2, put/3]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

-compile({no_auto_import, [get/2, put/3]}).
-record(st, {db, values = #{}}).

main() ->
    Db = spawn_link(fun() -> db(#{alice => 100, bob => 20}) end),
    {ok, Cache} = start_link(Db),
    Self = self(),
    Readers = [spawn_link(fun() ->
                   [get(Cache, K) || K <- [alice, bob, alice]],
                   Self ! {done, self()}
               end) || _ <- [1, 2]],
    Writer = spawn_link(fun() ->
                 put(Cache, alice, 150),
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
put(Cache, Key, V) -> gen_server:call(Cache, {put, Key, V}).

%% ---- server

init(Db) -> {ok, #st{db = Db}}.

handle_call({get, Key}, _From, S = #st{values = Vs}) ->
    case Vs of
        #{Key := V} ->
            {reply, V, S};
        #{} ->
            V = get_db(S#st.db, Key),
            {reply, V, S#st{values = Vs#{Key => V}}}
    end;
handle_call({put, Key, V}, _From, S = #st{values = Vs}) ->
    ok = put_db(S#st.db, Key, V),
    {reply, ok, S#st{values = Vs#{Key => V}}}.

handle_cast(_, S) -> {noreply, S}.

handle_info(_, S) -> {noreply, S}.

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
