%% Arithmetic operators on integers and floats, and their errors.
-module(operators_arith).
-export([main/0]).

-define(S(E), show(??E, fun() -> E end)).

main() ->
    ?S(id(1) + 2), ?S(id(1) - 2), ?S(id(3) * -4), ?S(id(7) div 2), ?S(id(-7) div 2), ?S(id(7) rem -2), ?S(id(-7) rem 2),
    ?S(id(7) / 2), ?S(id(6) / 3), ?S(id(1) + 1.5), ?S(id(2) * 1.5), ?S(+ id(3)), ?S(- id(3)), ?S(- id(0.0)),
    ?S(id(5) band 6), ?S(id(5) bor 6), ?S(id(5) bxor 6), ?S(bnot id(5)), ?S(id(1) bsl 10), ?S(id(1024) bsr 3), ?S(id(-1) bsr 3),
    ?S(id(1) bsl -1), ?S(id(1) bsr -4), ?S(id(-5) band 16#ff),
    ?S(id(1) div 0), ?S(id(1) rem 0), ?S(id(1) / 0), ?S(id(1.0) / 0.0), ?S(id(a) + 1), ?S(1 - id("x")), ?S(id({}) * 2),
    ?S(id(1.5) div 2), ?S(id(1.5) band 2), ?S(bnot id(1.0)), ?S(- id(a)), ?S(id(1) bsl 1.0), ?S(id(1.0e308) * 10),
    ?S(1 + 2 * 3 - 4 div 2), ?S((1 + 2) * (3 - 4)), ?S(2 - 3 - 4), ?S(100 div 10 div 5), ?S(- - 3), ?S(1 bsl 2 + 1), ?S(5 band 3 + 1).

id(X) -> X.

show(Text, F) ->
    R = try F() catch C:E -> {C, E} end,
    io:format("~s = ~w~n", [Text, R]).
