%% ~p on tuples and lists of tuples of all lengths around the margin.
-module(records_tuples).
-export([main/0]).

main() ->
    [io:format("~p~n", [{list_to_atom(lists:duplicate(N, $a)), list_to_atom(lists:duplicate(80 - N, $b))}]) || N <- [1, 20, 40, 60, 75, 77, 78, 79]],
    [io:format("~p~n", [[lists:duplicate(N, $x), lists:duplicate(78 - N, $y)]]) || N <- [10, 30, 50, 70, 73, 74, 75, 76]],
    [io:format("~p~n", [lists:duplicate(N, a)]) || N <- [38, 39, 40, 41]],
    [io:format("~p~n", [lists:duplicate(N, $a)]) || N <- [76, 77, 78, 79, 80, 81]],
    [io:format("~p~n", [{tag, lists:duplicate(N, $a)}]) || N <- [70, 71, 72, 73, 74, 75]],
    [io:format("~p~n", [list_to_binary(lists:duplicate(N, $a))]) || N <- [72, 73, 74, 75, 76, 77]],
    [io:format("~p~n", [[{a, N, lists:seq(1, N)} || N <- lists:seq(1, K)]]) || K <- [3, 5, 8]],
    io:format("~p~n", [{'a b', "c d", 'E', {f, 'G h'}, [<<"i">>, $j, 1.5e10, -3]}]).
