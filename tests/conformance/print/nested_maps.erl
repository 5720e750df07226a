%% ~p on maps that do not fit on a line, at several depths and widths.
-module(nested_maps).
-export([main/0]).

main() ->
    M = #{name => "a fairly long name for a thing", values => lists:seq(1, 25), inner => #{k1 => v1, k2 => "text text text text", k3 => #{deep => {tuple, with, many, elements, 'in it'}}}},
    io:format("~p~n", [M]), io:format("~40p~n", [M]), io:format("result: ~p~n", [[M, M]]), io:format("~p~n", [{M, x}]), io:format("~p~n", [#{M => M}]), io:format("~p~n", [#{"key as string that is long enough to matter here" => "value as string that is long enough as well, I hope"}]), io:format("~p~n", [maps:from_list([{list_to_atom("key_" ++ integer_to_list(N)), N * 1000} || N <- lists:seq(1, 12)])]), io:format("~P~n", [M, 10]), io:format("~w~n", [M]).
