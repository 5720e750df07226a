%% ~p breaks lines: lists, tuples, maps, records, strings, at several columns.
-module(lines).
-export([main/0]).

main() ->
    L = lists:seq(1, 60),
    io:format("~p~n", [L]),
    io:format("prefix ~p~n", [L]),
    io:format("~p~n", [list_to_tuple(L)]),
    io:format("~p~n", [{tag, L, "and a string that is rather long so that it has to be broken somewhere near the end of the line, is it not"}]),
    io:format("~p~n", [[{key, "value number one"}, {another_key, "value number two"}, {third_key, [a, b, c]}, {fourth, {1, 2, 3}}]]),
    io:format("~p~n", [#{key => "value number one", another_key => "value number two", third_key => [a, b, c], fourth => {1, 2, 3}}]),
    io:format("~p~n", [{a_rather_long_atom_here, {another_rather_long_atom_here, {and_one_more_long_atom, {deep, deeper, deepest, "string"}}}}]),
    io:format("~p~n", [lists:duplicate(3, lists:duplicate(20, abcdef))]),
    io:format("~p~n", [[[X, X * X, X * X * X] || X <- lists:seq(1, 20)]]),
    io:format("~30p~n", [L]),
    io:format("~20p|~n", [{abc, def, ghi, jkl, mno, pqr}]),
    io:format("~10p|~n", [[aaaaaaa, bbbbbbbbb, ccccccc]]),
    io:format("~.10p|~n", [[aaaaaaa, bbbbbbbbb, ccccccc]]),
    io:format("~40.5p|~n", [[aaaaaaa, bbbbbbbbb, ccccccc, {ddddddd, eeeeeee, fffffffff, ggggg}]]),
    io:format("abc ~p def ~p~n", [lists:seq(1, 20), lists:seq(100, 130)]),
    io:format("~p~n", [list_to_binary(lists:seq(1, 100))]),
    io:format("~p~n", [list_to_binary(lists:duplicate(100, $x))]),
    io:format("~p~n", [lists:duplicate(100, $x)]),
    io:format("~p~n", [#{lists:seq(1, 30) => lists:seq(1, 40), b => #{c => lists:duplicate(10, "string")}}]),
    io:format("~p~n", [{lists:duplicate(30, $a), lists:duplicate(50, $b), [lists:duplicate(90, $c)]}]),
    io:format("~p~n", [[{X, "name" ++ integer_to_list(X), [{attr, X}, {size, X * 1000}]} || X <- lists:seq(1, 6)]]).
