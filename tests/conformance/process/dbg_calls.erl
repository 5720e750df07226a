%% `dbg` with a process as tracer: calls of functions of the program, what they return, and births and ends.
-module(dbg_calls).
-export([main/0, server/0, double/1, add/2, fails/1]).

double(X) -> add(X, X).
add(A, B) -> A + B.
fails(X) -> error({bad, X}).

server() ->
    receive
        {call, From, F, Args} ->
            From ! {done, catch apply(?MODULE, F, Args)},
            ?MODULE:server()
    end.

ask(P, F, Args) ->
    P ! {call, self(), F, Args},
    receive {done, _} -> ok end.

told() -> receive {told, Trace} -> [shown(Trace) | told()] after 100 -> [] end.

shown(Trace) -> [case Part of _ when is_pid(Part) -> pid; {Why, Stack} when is_list(Stack) -> Why; _ -> Part end || Part <- tuple_to_list(Trace)].

main() ->
    Me = self(),
    P = spawn(?MODULE, server, []),
    io:format("~p~n", [dbg:p(P, c)]),
    {ok, Tracer} = dbg:tracer(process, {fun(Trace, N) -> Me ! {told, Trace}, N + 1 end, 0}),
    io:format("~p ~p~n", [dbg:tracer(), element(1, dbg:get_tracer())]),
    io:format("~p~n", [dbg:tpl(?MODULE, add, x)]),
    io:format("~p~n", [dbg:tp(?MODULE, double, 1, [])]),
    io:format("~p~n", [dbg:tpl({?MODULE, fails, 1}, [{'_', [], [{return_trace}]}])]),
    io:format("~p~n", [dbg:tpl(?MODULE, none, 1, [])]),
    io:format("~p~n", [dbg:tpl(?MODULE, add, nonsense)]),
    {ok, [{matched, _, 1}]} = dbg:p(P, [c]),
    io:format("~p~n", [dbg:p(no_such_name, c)]),
    ask(P, add, [0, 0]),
    io:format("~p~n", [told()]),
    ask(P, double, [21]),
    io:format("~p~n", [told()]),
    ask(P, fails, [x]),
    io:format("~p~n", [told()]),
    io:format("~p~n", [dbg:ctpl(?MODULE, add)]),
    ask(P, double, [4]),
    io:format("~p~n", [told()]),
    io:format("~p ~p~n", [dbg:stop_clear(), is_process_alive(Tracer)]),
    ask(P, double, [4]),
    io:format("~p~n", [told()]).
