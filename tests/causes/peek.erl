%% A server asks for the state of another one with sys:get_state while that one calls it.
%% Cause: a waits for b (sys:get_state), b waits for a (gen_server:call).
-module(peek).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, A} = gen_server:start(?MODULE, a, []),
    {ok, B} = gen_server:start(?MODULE, b, []),
    gen_server:cast(A, {look_at, B}),
    gen_server:cast(B, {ask, A}),
    timer:sleep(10),
    done = gen_server:call(A, done, 2000).

init(S) -> {ok, S}.

handle_cast({look_at, B}, S) ->
    timer:sleep(2),
    _ = sys:get_state(B, infinity),
    {noreply, S};
handle_cast({ask, A}, S) ->
    timer:sleep(2),
    _ = gen_server:call(A, hello, infinity),
    {noreply, S}.

handle_call(hello, _, S) -> {reply, hi, S};
handle_call(done, _, S) -> {reply, done, S}.
