%% A supervisor restarts a store that crashed. The cache keeps the pid of the old one.
%% Cause: the store was restarted under another pid; the cache still called the old one, which had died of the bad key.
-module(cachestore).
-export([main/0, init/1, handle_call/3, handle_cast/2, start_store/0, start_cache/0]).

main() ->
    {ok, _} = supervisor:start_link({local, top}, ?MODULE, top),
    {ok, apple} = gen_server:call(cache, {get, 1}),
    catch gen_server:call(cache, {get, bad}),
    timer:sleep(10),
    {ok, pear} = gen_server:call(cache, {get, 2}),
    ok.

start_store() -> gen_server:start_link({local, store}, ?MODULE, store, []).
start_cache() -> gen_server:start_link({local, cache}, ?MODULE, cache, []).

init(top) ->
    {ok, {#{strategy => one_for_one},
          [#{id => store, start => {?MODULE, start_store, []}}, #{id => cache, start => {?MODULE, start_cache, []}}]}};
init(store) -> {ok, {store, #{1 => apple, 2 => pear}}};
init(cache) -> {ok, {cache, whereis(store), #{}}}.

handle_call({fetch, K}, _, {store, M}) -> {reply, maps:get(K, M), {store, M}};
handle_call({get, K}, _, {cache, Store, Known}) ->
    case Known of
        #{K := V} -> {reply, {ok, V}, {cache, Store, Known}};
        _ ->
            try gen_server:call(Store, {fetch, K}) of
                V -> {reply, {ok, V}, {cache, Store, Known#{K => V}}}
            catch exit:{Reason, _} -> {reply, {error, short(Reason)}, {cache, Store, Known}}
            end
    end.
handle_cast(_, S) -> {noreply, S}.

short({R, _}) -> R;
short(R) -> R.
