-module(proplists_lists).
-export([main/0]).
main() ->
    io:format("~p~n", [proplists:expand([{foo, [bar, baz]}], [fie, foo, fum])]), io:format("~p~n", [proplists:expand([{{foo, true}, [bar, baz]}], [fie, foo, fum])]), io:format("~p~n", [proplists:expand([{{foo, false}, [bar, baz]}], [fie, {foo, false}, fum])]),
    io:format("~p~n", [proplists:expand([{a, [b]}], [[x, y], a, "st", {a, 1}, c])]), io:format("~p~n", [proplists:normalize([{a, 1}, b, [n]], [{aliases, [{a, aa}]}, {expand, [{b, [c, d]}]}, {negations, [{no_b, b}]}])]),
    io:format("~p~n", [[catch ordsets:is_set(X) || X <- [[1, 2], [2, 1], [], x]]]), io:format("~p~n", [catch element(1, element(2, catch ordsets:is_set([a | b])))]), io:format("~p~n", [element(1, element(2, catch gb_sets:filter(1, gb_sets:new())))]).
