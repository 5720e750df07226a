%% The worker, in its terminate, calls the manager, which stops the worker: a wait cycle through gen_server:stop.
%% Cause: manager waits for worker to end (gen_server:stop, stop_and_bye.erl:22), worker waits for manager (gen_server:call in terminate, :30).
-module(stop_and_bye).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    {ok, M} = gen_server:start({local, manager}, ?MODULE, manager, []),
    {ok, _} = gen_server:start(?MODULE, {worker, M}, []),
    ok = gen_server:call(M, stop_worker, infinity).

init(manager) ->
    {ok, #{role => manager}};
init({worker, M}) ->
    gen_server:cast(M, {here, self()}),
    {ok, #{role => worker, manager => M}}.

handle_cast({here, W}, S) ->
    {noreply, S#{worker => W}}.

handle_call(stop_worker, _From, #{worker := W} = S) ->
    ok = gen_server:stop(W),
    {reply, ok, maps:remove(worker, S)};
handle_call({bye, _W}, _From, S) ->
    {reply, ok, S}.

handle_info(_, S) -> {noreply, S}.

terminate(_, #{role := worker, manager := M}) ->
    gen_server:call(M, {bye, self()}, infinity);
terminate(_, _) ->
    ok.
