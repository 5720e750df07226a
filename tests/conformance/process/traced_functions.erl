%% Calls of functions of the program, as test helpers trace them.
-module(traced_functions).
-export([main/0, server/0, work/1, pair/2, fails/1]).

work(X) -> helper(X) + 1.
helper(X) -> X * 10.
pair(A, B) -> {A, B}.
fails(X) -> error({bad, X}).

server() ->
    receive
        {call, From, F, Args} ->
            From ! {done, catch apply(?MODULE, F, Args)},
            ?MODULE:server()
    end.

ask(P, F, Args) ->
    P ! {call, self(), F, Args},
    receive {done, {'EXIT', {Reason, _}}} -> {'EXIT', Reason}; {done, Value} -> Value end.

told(P) ->
    receive
        {trace, P, What, Of} -> [{What, Of} | told(P)];
        {trace, P, What, Of, More} -> [{What, Of, More} | told(P)]
    after 50 -> []
    end.

main() ->
    P = spawn(?MODULE, server, []),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, work, 1}, [{'_', [], [{return_trace}]}], [local])]),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, helper, 1}, true, [local])]),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, pair, 2}, [{[1, '$1'], [{'>', '$1', 5}], []}], [])]),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, fails, 1}, [{'_', [], [{exception_trace}]}], [local])]),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, none, 1}, true, [local])]),
    io:format("~p~n", [erlang:trace(P, true, [call])]),
    %% From here on, the server runs the code that is traced.
    pair = element(1, {pair, ask(P, pair, [0, 0])}),
    io:format("~p ~p~n", [ask(P, work, [4]), told(P)]),
    io:format("~p ~p~n", [ask(P, pair, [1, 2]), told(P)]),
    io:format("~p ~p~n", [ask(P, pair, [1, 7]), told(P)]),
    io:format("~p ~p~n", [ask(P, fails, [x]), told(P)]),
    io:format("~p~n", [erlang:trace(P, true, [arity])]),
    io:format("~p ~p~n", [ask(P, pair, [1, 8]), told(P)]),
    io:format("~p~n", [erlang:trace_pattern({?MODULE, work, 1}, false, [local])]),
    io:format("~p ~p~n", [ask(P, work, [5]), told(P)]),
    io:format("~p~n", [erlang:trace(P, false, [call])]),
    io:format("~p ~p~n", [ask(P, work, [5]), told(P)]).
