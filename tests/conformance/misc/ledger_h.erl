-module(ledger_h).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2, terminate/2]).
init([Where]) -> {ok, {Where, 0, []}}.
handle_event({transfer, F, T, N}, {W, Sum, L}) -> {ok, {W, Sum + N, [{F, T, N} | L]}}.
handle_call(total, {_, Sum, _} = S) -> {ok, Sum, S}.
terminate(done, {_, _, L}) -> {closed, lists:reverse(L)};
terminate(_, _) -> ok.
