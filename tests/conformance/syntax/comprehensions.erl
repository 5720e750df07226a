%% List, binary and bitstring comprehensions.
-module(comprehensions).
-export([main/0]).

main() ->
    p([X * X || X <- [1, 2, 3]]),
    p([X || X <- lists:seq(1, 20), X rem 3 =:= 0]),
    p([{X, Y} || X <- [1, 2, 3], Y <- [a, b]]),
    p([{X, Y} || X <- [1, 2, 3], Y <- lists:seq(X, 3), X + Y =/= 4]),
    p([X || {ok, X} <- [{ok, 1}, error, {ok, 2}, {no, 3}]]),
    p([[Y || Y <- X] || X <- [[1], [], [2, 3]]]),
    p([X || X <- [1, a, 2, b], is_atom(X)]),
    p([X || _ <- [1, 2], X <- [x]]),
    p([true || true]),
    p([a || false]),
    p([X + Y || X <- [1, 2], begin Y = X * 10, true end]),
    p([X || <<X>> <= <<1, 2, 3>>]),
    p([X || <<X:4>> <= <<16#1234:16>>]),
    p(<< <<(X * 2)>> || X <- [1, 2, 3] >>),
    p(<< <<X:4>> || X <- [1, 2, 3, 4] >>),
    p(<< <<Y, X>> || <<X, Y>> <= <<1, 2, 3, 4, 5>> >>),
    p(<< <<X>> || <<X>> <= <<"hello">>, X > $h >>),
    p([{A, B} || <<A:3, B:5>> <= <<255, 1>>]),
    X = shadowed,
    p([X || X <- [1, 2]]),
    p(X),
    p(try [Y || Y <- id(notalist)] catch C:R -> {C, R} end),
    p(try [Y || Y <- id([1, 2 | oops]), Y > 0] catch C1:R1 -> {C1, R1} end),
    p(try [Y || Y <- [1, 2], id(maybe_x)] catch C2:R2 -> {C2, R2} end),
    p(try [Y || <<Y>> <= id(nobin)] catch C3:R3 -> {C3, R3} end),
    p([Y || Y <- [1, 2, 3], Y > 1, Y < 3]),
    p([hd(Y) || Y <- [[1], [2, 3]], length(Y) > 1]),
    p([Y || Y <- [a, 1], Y + 1 > 1]),
    p(length([{A, B, C4} || A <- lists:seq(1, 30), B <- lists:seq(A, 30), C4 <- lists:seq(B, 30), A * A + B * B =:= C4 * C4])).

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
