%% Errors that a call by rpc and erpc raises itself, without a function of the program.
-module(rpc_raised).
-export([main/0]).

main() ->
    Calls = [{erlang, error, [foo]}, {erlang, error, [foo, [bar]]}, {erlang, exit, [foo]}, {erlang, throw, [foo]}, {erlang, atom_to_list, [1]},
             {no_such_module, f, [1]}, {?MODULE, no_such_function, []}],
    [io:format("~p~n~p~n", [rpc:call(node(), M, F, A), erpc(M, F, A)]) || {M, F, A} <- Calls].

erpc(M, F, A) -> try erpc:call(node(), M, F, A) catch Class:Reason -> {Class, Reason} end.
