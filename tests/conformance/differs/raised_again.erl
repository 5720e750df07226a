%% The place of an exception that is raised again.
-module(raised_again).
-export([main/0]).

main() -> io:format("~p~n", [try again() catch error:_:Stack -> place(hd(Stack)) end]).

place({Module, Name, _, Place}) -> {Module, Name, Place}.

again() ->
    try error(function_clause, [1, 2])
    catch Class:Reason:Stack -> erlang:raise(Class, Reason, Stack)
    end.
