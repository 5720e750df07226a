%% A lease is renewed, but the timer of the old one has already gone off.
-module(oldtimer).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Lease} = gen_server:start_link(?MODULE, [], []),
    renew(Lease, 5),
    held = gen_server:call(Lease, state),
    io:format("held~n").

renew(_, 0) -> ok;
renew(Lease, N) ->
    timer:sleep(30),
    ok = gen_server:call(Lease, renew),
    renew(Lease, N - 1).

init([]) -> {ok, {held, erlang:start_timer(40, self(), expired)}}.

handle_call(renew, _From, {held, Timer}) ->
    _ = check(400),
    erlang:cancel_timer(Timer),
    {reply, ok, {held, erlang:start_timer(40, self(), expired)}};
handle_call(renew, _From, State) ->
    {reply, lost, State};
handle_call(state, _From, {State, Timer}) ->
    {reply, State, {State, Timer}}.

check(N) -> timer:sleep(N div 40), ok.

handle_cast(_, State) -> {noreply, State}.

handle_info({timeout, Timer, expired}, {held, Timer}) -> {noreply, {lost, Timer}};
handle_info({timeout, _, expired}, State) -> {noreply, State}.
