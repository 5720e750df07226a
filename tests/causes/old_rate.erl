%% A server drops `{rate, _}` that comes as a plain message: handle_info(_, S) ignores it, so the price is computed with the old rate.
%% Cause: handle_info took {rate,2} at old_rate.erl:22 (catch-all) and changed nothing; a cast was expected.
-module(old_rate).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, 1, []),
    spawn_link(fun() -> feed(P) end),
    timer:sleep(5),
    Price = gen_server:call(P, {price, 10}),
    20 = Price.

feed(P) -> P ! {rate, 2}.

init(Rate) -> {ok, Rate}.

handle_call({price, N}, _, Rate) -> {reply, N * Rate, Rate}.

handle_cast({rate, Rate}, _) -> {noreply, Rate}.

handle_info(_, Rate) -> {noreply, Rate}.
