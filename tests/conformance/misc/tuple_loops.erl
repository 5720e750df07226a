%% The size of a tuple is known without looking at its elements: a program in a tuple of 300,000 instructions.
-module(tuple_loops).
-export([main/0]).

main() ->
    Program = list_to_tuple([N rem 3 || N <- lists:seq(1, 300000)]),
    io:format("~p~n", [run(Program, 1, 0)]),
    io:format("~p~n", [last(Program, 1)]).

run(P, At, Sum) when At > tuple_size(P) -> Sum;
run(P, At, Sum) -> run(P, At + 1, Sum + element(At, P)).

last(P, At) ->
    case tuple_size(P) of
        At -> {At, element(At, P)};
        _ -> last(P, At + 1)
    end.
