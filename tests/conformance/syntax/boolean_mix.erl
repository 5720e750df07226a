%% Short circuits in tail position, in guards and with side effects.
-module(boolean_mix).
-export([main/0]).

main() ->
    [io:format("~w ~w: ~w ~w ~w~n", [A, B, t(A) andalso t(B), t(A) orelse t(B), A and B]) || A <- [true, false], B <- [true, false]],
    io:format("~w~n", [all([1, 2, 3])]), io:format("~w~n", [any([1, 2, 3])]), io:format("~w~n", [f(5)]), io:format("~w~n", [f(50)]), io:format("~w~n", [f(a)]),
    _ = (1 < 2) andalso io:format("then~n"), _ = (1 > 2) andalso io:format("never~n"), _ = (1 > 2) orelse io:format("else~n").
t(X) -> io:format("(~w)", [X]), X.
all([]) -> true;
all([H | T]) -> H > 0 andalso all(T).
any([]) -> false;
any([H | T]) -> H > 2 orelse any(T).
f(X) when is_integer(X) andalso (X < 10 orelse X > 100) -> yes;
f(X) when not is_integer(X) orelse X =:= 50 -> maybe_so;
f(_) -> no.
