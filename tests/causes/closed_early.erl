%% A shop is told to close and is then asked for bread. It fails in every order, only the reason differs: normal, or noproc.
%% Cause: no race; the cast `close` comes before the call.
-module(closed_early).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Shop} = gen_server:start(?MODULE, [], []),
    gen_server:cast(Shop, close),
    bread = gen_server:call(Shop, bread).

init([]) -> {ok, open}.

handle_call(bread, _, State) -> {reply, bread, State}.

handle_cast(close, State) -> {stop, normal, State}.
