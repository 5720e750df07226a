%% Records: construction, defaults, update, access, index, patterns, nested.
-module(records).
-export([main/0]).

-record(point, {x = 0, y = 0 :: integer()}).
-record(box, {from = #point{}, to, tags = [] :: [atom()], name}).
-record(empty, {}).

main() ->
    P = #point{x = 3},
    p(P), p(P#point.x), p(#point.y), p(#empty{}),
    p(P#point{y = 9}),
    B = #box{to = P, name = "b"},
    p(B), p((B#box.to)#point.x), p(B#box.from#point.y),
    p(B#box{to = (B#box.to)#point{y = 7}, tags = [a]}),
    #box{to = #point{x = X}, name = N} = B,
    p({X, N}),
    p(#point{_ = 5}), p(#point{x = 1, _ = all}),
    p([area(S) || S <- [B, P, other]]),
    p(is_record(P, point)), p(is_record(P, box)), p(is_record({point, 1}, point)), p(is_record(P, point, 3)),
    p(record_info(fields, point)), p(record_info(size, box)),
    p(guarded(P)), p(guarded(P#point{x = 0})),
    p(try (id(notrec))#point.x catch C:R -> {C, R} end),
    p(try (id(P))#box{name = 1} catch C1:R1 -> {C1, R1} end),
    p([Q#point.x || Q <- [P, P#point{x = 8}]]),
    p(lists:keysort(#point.x, [#point{x = 3}, #point{x = 1}])),
    Q2 = P#point{x = P#point.x + 1, y = P#point.x},
    p(Q2),
    p(element(#point.x, Q2)).

area(#box{from = #point{x = A}, to = #point{x = B}}) -> {box, B - A};
area(#point{} = P) -> {point, P};
area(_) -> none.

guarded(P) when P#point.x > 0, is_record(P, point) -> positive;
guarded(#point{}) -> other.

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
