%% A server gives each job to a helper that replies itself. The helper returns without a reply where the job is odd.
%% Cause: the helper 0.N (odd_half.erl, work/2, second clause) got From and job 3 and ended without gen_server:reply.
-module(odd_half).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    {ok, 2} = gen_server:call(P, {half, 4}),
    {ok, 1} = gen_server:call(P, {half, 3}, 500),
    ok.

init([]) -> {ok, 0}.

handle_call({half, N}, From, S) ->
    spawn(fun() -> work(From, N) end),
    {noreply, S + 1}.

work(From, N) when N rem 2 =:= 0 ->
    gen_server:reply(From, {ok, N div 2});
work(_From, _N) ->
    ok.

handle_cast(_, S) -> {noreply, S}.
handle_info(_, S) -> {noreply, S}.
