%% A worker pool: the server hands jobs to a helper and answers later. Jobs of the kind `skip` it only counts.
%% Cause: pool took {job,2,skip} (handle_call, second clause) and returned {noreply, S} without ever replying.
-module(skipped_job).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    ok = gen_server:call(P, {job, 1, run}),
    ok = gen_server:call(P, {job, 2, skip}, 500),
    ok.

init([]) -> {ok, #{done => 0, skipped => 0}}.

handle_call({job, _, run}, _From, #{done := N} = S) ->
    {reply, ok, S#{done := N + 1}};
handle_call({job, _, skip}, _From, #{skipped := N} = S) ->
    {noreply, S#{skipped := N + 1}}.

handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
