%% Subexpressions are evaluated from left to right, but what a comprehension is put in front of before it, and what a record is updated
%% with before the record.
-module(order_of_evaluation).
-export([main/0]).
-record(r, {a, b = 1}).

main() ->
    io:format("~w~n", [{t(1), t(2), t(3)}]),
    io:format("~w~n", [[t(1), t(2) | t([])]]),
    io:format("~w~n", [t(1) + t(2) * t(3)]),
    F = fun(A, B, C) -> {A, B, C} end,
    io:format("~w~n", [F(t(1), t(2), t(3))]),
    io:format("~w~n", [(t(F))(t(1), t(2), t(3))]),
    io:format("~w~n", [t(1) < t(2)]),
    io:format("~w~n", [t(false) and t(true)]),
    io:format("~w~n", [t(false) andalso t(true)]),
    io:format("~w~n", [#{t(a) => t(1), t(b) => t(2)}]),
    io:format("~w~n", [<<(t(1)), (t(2)):8>>]),
    io:format("~w~n", [[t(X) || X <- [1, 2]] ++ t([3])]),
    io:format("~w~n", [(t(#r{}))#r{b = t(2), a = t(1)}]),
    io:format("~w~n", [#r{b = t(2), a = t(1)}]),
    catch {t(1), t(exit(x)), t(2)},
    catch (t(a) + t(b)) * t(c),
    (t(self())) ! t(message),
    receive M -> io:format("~w~n", [M]) end.

t(F) when is_function(F) -> io:format("fun ", []), F;
t(P) when is_pid(P) -> io:format("pid ", []), P;
t(X) -> io:format("~w ", [X]), X.
