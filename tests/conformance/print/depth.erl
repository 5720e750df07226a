%% ~P and ~W: depth limits.
-module(depth).
-export([main/0]).

main() ->
    T = [{a, [b, {c, [d, [e, {f, g}]]}]}, "a string", lists:seq(1, 20), #{k => #{l => #{m => n}}, o => p}, <<"binary data that is long enough">>, 1.5],
    [io:format("~p: ~P~n", [D, T, D]) || D <- [-1, 0, 1, 2, 3, 5, 8, 12, 20, 50]],
    [io:format("~p: ~W~n", [D, T, D]) || D <- [-1, 0, 1, 2, 3, 5, 8, 12, 20, 50]],
    io:format("~P ~P~n", ["abcdefgh", 3, "abcdefgh", 30]),
    io:format("~W~n", [{a, b, c, d, e}, 4]),
    io:format("~40P~n", [T, 9]),
    io:format("~P~n", [lists:duplicate(50, {x, y}), 12]).
