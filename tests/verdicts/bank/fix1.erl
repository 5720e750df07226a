%% Transfers between accounts; each account is a gen_server. No account may go below zero.
-module(bank).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    [A, B, C] = [open(N) || N <- [100, 0, 0]],
    Me = self(),
    Jobs = [{A, B, 70}, {A, C, 60}, {B, C, 10}],
    [spawn_link(fun() -> R = transfer(X, Y, N), Me ! {result, R} end) || {X, Y, N} <- Jobs],
    Results = [receive {result, R} -> R end || _ <- Jobs],
    Balances = [balance(X) || X <- [A, B, C]],
    io:format("~p ~p~n", [lists:sort(Results), Balances]),
    audit(Balances),
    [gen_server:stop(X) || X <- [A, B, C]].

audit(Balances) ->
    100 = lists:sum(Balances),
    case [N || N <- Balances, N < 0] of
        [] -> ok;
        Negative -> error({overdrawn, Negative})
    end.

open(N) -> {ok, P} = gen_server:start_link(?MODULE, N, []), P.
balance(X) -> gen_server:call(X, balance).

transfer(From, To, N) ->
    case gen_server:call(From, {add, -N}) of
        ok -> ok = gen_server:call(To, {add, N});
        refused -> refused
    end.

init(N) -> {ok, N}.
handle_call(balance, _, N) -> {reply, N, N};
handle_call({add, M}, _, N) when N + M < 0 -> {reply, refused, N};
handle_call({add, M}, _, N) -> {reply, ok, N + M}.
handle_cast(_, N) -> {noreply, N}.
