%% case and if with all sorts of clauses.
-module(case_if).
-export([main/0]).

main() ->
    [io:format("~w ~s~n", [X, kind(X)]) || X <- [0, 5, -5, 1.5, a, "s", [], {t}, {1, 2}, self, 1 bsl 80]],
    [io:format("~w ~w~n", [X, sign(X)]) || X <- [-3, 0, 3]],
    V = case {1, 2} of {A, B} when A > B -> gt; {A, B} when A < B -> {lt, A, B}; _ -> eq end,
    io:format("~w~n", [V]),
    case [1, 2, 3] of
        [] -> Y = empty;
        [_ | _] -> Y = nonempty
    end,
    io:format("~w~n", [Y]),
    io:format("~w~n", [nested(3, 4)]),
    W = if Y =:= nonempty, V =/= x -> yes; true -> no end,
    io:format("~w~n", [W]).

kind(X) when is_integer(X), X > 0 -> "positive integer";
kind(X) when is_integer(X), X < 0 -> "negative integer";
kind(0) -> "zero";
kind(X) when is_float(X) -> "float";
kind(X) when is_atom(X) -> "atom";
kind([]) -> "nil";
kind(X) when is_list(X) -> "list";
kind({_}) -> "one-tuple";
kind(X) when is_tuple(X); is_pid(X) -> "tuple or pid".

sign(X) ->
    if
        X < 0 -> -1;
        X > 0 -> 1;
        true -> 0
    end.

nested(X, Y) ->
    case X of
        3 ->
            case Y of
                4 -> case X + Y of 7 -> seven; _ -> other end;
                _ -> nope
            end;
        _ -> no
    end.
