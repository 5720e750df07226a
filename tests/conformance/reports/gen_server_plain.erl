%% A gen_server with the callbacks that must be there, and no others.
-module(gen_server_plain).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, format_status/2]).

main() ->
    {ok, Pid} = gen_server:start({local, plain}, ?MODULE, [], []),
    Pid ! {a, message},
    Pid ! "text",
    io:format("~p~n", [catch gen_server:call(Pid, state)]),
    {'EXIT', _} = catch gen_server:call(Pid, crash),
    timer:sleep(2),
    {ok, Other} = gen_server:start(?MODULE, [], []),
    Other ! {another, message},
    gen_server:call(Other, state),
    gen_server:stop(Other),
    done.

init([]) -> {ok, {secret, 1}}.
handle_call(state, _, S) -> {reply, S, S};
handle_call(crash, _, S) -> exit({crash, S}).
handle_cast(_, S) -> {noreply, S}.
format_status(_, [_, {secret, N}]) -> [{data, [{"State", {hidden, N}}]}].
