%% A server is started by a call to a registry, and calls the registry in its init.
%% Cause: registry waits in gen_server:start_link for the worker, whose init calls the registry (registry_start.erl:13).
-module(registry_start).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start_link({local, registry}, ?MODULE, registry, []),
    {ok, _} = gen_server:call(registry, {start, a}, 1000).

init(registry) -> {ok, #{}};
init({worker, Name}) ->
    ok = gen_server:call(registry, {register, Name, self()}, infinity),
    {ok, Name}.

handle_call({start, Name}, _From, S) ->
    {ok, Pid} = gen_server:start_link(?MODULE, {worker, Name}, []),
    {reply, {ok, Pid}, S};
handle_call({register, Name, Pid}, _From, S) ->
    {reply, ok, S#{Name => Pid}}.

handle_cast(_, S) -> {noreply, S}.
