%% Comparison and boolean operators.
-module(operators_bool).
-export([main/0]).

-define(S(E), show(??E, fun() -> E end)).

main() ->
    ?S(id(1) == 1.0), ?S(id(1) =:= 1.0), ?S(id(1) /= 1.0), ?S(id(1) =/= 1.0), ?S(id(1) < 2), ?S(id(2) =< 2), ?S(id(2) >= 3), ?S(id(a) > 1),
    ?S(id({1, 2}) < {1, 3}), ?S(id([1]) > {}), ?S(id("abc") < "abd"), ?S(id(<<1>>) > [1]), ?S(id(#{}) > {1}), ?S(id(#{}) < []),
    ?S(id(true) and false), ?S(id(true) or false), ?S(id(true) xor true), ?S(not id(true)),
    ?S(id(false) andalso exit(no)), ?S(id(true) orelse exit(no)), ?S(id(true) andalso 5), ?S(id(false) orelse id(x)),
    ?S(id(a) and true), ?S(true or id(1)), ?S(not id(0)), ?S(id(a) andalso true), ?S(id(1) orelse true), ?S(id(true) xor a),
    ?S(1 < 2 andalso 2 < 3), ?S(not id(true) orelse true), ?S(id(1) + 1 == 2 andalso id(3) > 2),
    ?S(id(false) andalso true orelse true).

id(X) -> X.

show(Text, F) ->
    R = try F() catch C:E -> {C, E} end,
    io:format("~s = ~w~n", [Text, R]).
