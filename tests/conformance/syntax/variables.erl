%% Matching, aliases, wildcards, repeated variables.
-module(variables).
-export([main/0]).

main() ->
    X = 1,
    {X, Y} = {1, two},
    _ = ignored,
    _Unused = 3,
    [A, B | T] = [1, 2, 3, 4],
    {P = {Q, _}, Q} = {{q, r}, q},
    io:format("~w ~w ~w ~w ~w ~w ~w~n", [X, Y, A, B, T, P, Q]),
    Z = W = 5,
    io:format("~w ~w~n", [Z, W]),
    io:format("~w~n", [same(1, 1)]),
    io:format("~w~n", [same(1, 1.0)]),
    io:format("~w~n", [same({a}, {a})]),
    [H | _] = "abc",
    io:format("~c~n", [H]),
    "ab" ++ Rest = "abcdef",
    io:format("~s~n", [Rest]),
    -1 = -X,
    io:format("~w~n", [try (fun(V) -> 2 = V end)(3) catch C:R -> {C, R} end]).

same(X, X) -> same;
same(_, _) -> different.
