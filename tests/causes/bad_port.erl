%% A server parses its setting under `catch`; the exception becomes a value and main fails on it.
%% Cause: list_to_integer("x80") raised badarg in parse/1 (bad_port.erl:19), caught by `catch`, default used: `undefined` port.
-module(bad_port).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, "x80", []),
    Port = gen_server:call(P, port),
    true = is_integer(Port),
    ok.

init(Text) -> {ok, #{port => parse(Text)}}.

handle_call(port, _, #{port := Port} = S) -> {reply, Port, S}.
handle_cast(_, S) -> {noreply, S}.

parse(Text) ->
    case catch list_to_integer(Text) of
        N when is_integer(N) -> N;
        {'EXIT', _} -> undefined
    end.
