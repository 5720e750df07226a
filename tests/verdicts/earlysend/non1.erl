%% A connection that gets data to send before it is open.
-module(earlysend).
-behaviour(gen_statem).
-export([main/0, init/1, callback_mode/0, closed/3, open/3]).

main() ->
    {ok, Conn} = gen_statem:start_link(?MODULE, [], []),
    Peer = spawn_link(fun() -> timer:sleep(2), Conn ! opened end),
    timer:sleep(2),
    ok = gen_statem:call(Conn, {send, hello}),
    {sent, 1} = gen_statem:call(Conn, count),
    io:format("sent ~w~n", [is_pid(Peer)]).

callback_mode() -> state_functions.

init([]) -> {ok, closed, 0}.

closed(info, opened, N) -> {next_state, open, N};
closed({call, From}, {send, _}, N) ->
    {stop_and_reply, {not_open, send}, [{reply, From, {closed, N}}]};
closed({call, From}, count, N) -> {keep_state, N, [{reply, From, {sent, N}}]}.

open({call, From}, {send, _}, N) -> {keep_state, N + 1, [{reply, From, ok}]};
open({call, From}, count, N) -> {keep_state, N, [{reply, From, {sent, N}}]}.
