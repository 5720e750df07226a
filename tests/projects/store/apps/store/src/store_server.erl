-module(store_server).
-behaviour(gen_server).
-include("store.hrl").
-include_lib("jsonish/include/jsonish.hrl").
-export([start_link/0, put/2, get/1, init/1, handle_call/3, handle_cast/2]).
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
put(K, V) -> gen_server:call(?MODULE, {put, #item{key = K, value = V}}).
get(K) -> gen_server:call(?MODULE, {get, K}).
init([]) -> {ok, #{}}.
handle_call({put, #item{key = K, value = V}}, _, S) when map_size(S) < ?LIMIT -> {reply, ok, S#{K => deep_codec:encode(V)}};
handle_call({put, _}, _, S) -> {reply, {error, full}, S};
handle_call({get, K}, _, S) -> {reply, maps:get(K, S, ?NOTHING), S}.
handle_cast(_, S) -> {noreply, S}.
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
inside_test() -> ?assertEqual("full", ?with_name).
-endif.
hidden(X) -> {hidden, X}.
