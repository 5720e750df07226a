%% Two servers: orders asks billing for a price, and billing asks orders for a discount, each within a call.
%% Cause: orders and billing call each other at the same time; each waits for the other.
-module(billing).
-export([main/0, init/1, handle_call/3, handle_cast/2]).
-behaviour(gen_server).

main() ->
    {ok, _} = gen_server:start({local, orders}, ?MODULE, orders, []),
    {ok, _} = gen_server:start({local, billing}, ?MODULE, billing, []),
    Me = self(),
    spawn_link(fun() -> Me ! {order, gen_server:call(orders, {place, book}, 8000)} end),
    spawn_link(fun() -> Me ! {bill, gen_server:call(billing, {bill, customer7}, 8000)} end),
    receive {order, O} -> io:format("~p~n", [O]) end,
    receive {bill, B} -> io:format("~p~n", [B]) end.

init(Name) -> {ok, Name}.
handle_call({place, Item}, _, orders) -> {reply, {placed, gen_server:call(billing, {price, Item})}, orders};
handle_call({discount, _}, _, orders) -> {reply, 5, orders};
handle_call({bill, C}, _, billing) -> {reply, {billed, 100 - gen_server:call(orders, {discount, C})}, billing};
handle_call({price, _}, _, billing) -> {reply, 20, billing}.
handle_cast(_, S) -> {noreply, S}.
