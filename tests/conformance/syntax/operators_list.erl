%% ++ and --, their order of evaluation and errors.
-module(operators_list).
-export([main/0]).

-define(S(E), show(??E, fun() -> E end)).

main() ->
    ?S(id([1, 2]) ++ [3]), ?S(id([]) ++ []), ?S(id([1]) ++ tail), ?S([] ++ id(x)), ?S(id([1 | 2]) ++ [3]), ?S(id(a) ++ []),
    ?S(id([1, 2, 3, 2, 1]) -- [2, 1]), ?S(id([1, 2]) -- [3]), ?S(id([1, 1.0]) -- [1.0]), ?S(id([a | b]) -- []), ?S(id([]) -- id(a)),
    ?S([1, 2, 3] -- [1, 2] -- [1]), ?S([1] ++ [2] ++ [3] -- [2]), ?S("abc" ++ "def" -- "bd").

id(X) -> X.

show(Text, F) ->
    R = try F() catch C:E -> {C, E} end,
    io:format("~s = ~w~n", [Text, R]).
