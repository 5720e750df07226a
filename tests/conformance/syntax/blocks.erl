%% begin ... end, nested scopes, exported variables.
-module(blocks).
-export([main/0]).

main() ->
    X = begin A = 1, B = 2, A + B end,
    io:format("~w ~w ~w~n", [X, A, B]),
    Y = begin C = X, C end + X,
    io:format("~w~n", [Y]),
    case Y of
        6 -> D = six, E = 1;
        _ -> D = other, E = 2
    end,
    io:format("~w ~w~n", [D, E]),
    if Y > 5 -> F = big; true -> F = small end,
    io:format("~w~n", [F]),
    G = [begin T = N * 2, T + 1 end || N <- [1, 2, 3]],
    io:format("~w~n", [G]),
    {H, I} = {begin H1 = 1, H1 end, begin I1 = 2, I1 end},
    io:format("~w ~w ~w~n", [H, I, H1 + I1]),
    begin begin begin io:format("deep~n") end end end,
    io:format("~w~n", [(fun() -> J = 1, J end)()]).
