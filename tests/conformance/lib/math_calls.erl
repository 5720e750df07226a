%% math, with errors.
-module(math_calls).
-export([main/0]).

main() ->
    [io:format("~w~w = ~w~n", [F, A, try apply(math, F, A) catch C:R -> {C, R} end]) || {F, A} <- [
        {pi, []}, {sqrt, [2]}, {sqrt, [-1]}, {sqrt, [16.0]}, {pow, [2, 10]}, {pow, [2, 0.5]}, {pow, [-8, 1 / 3]}, {pow, [10, 400]}, {exp, [1]}, {exp, [1000]}, {log, [10]}, {log, [0]}, {log, [-1]}, {log2, [8]}, {log10, [1000]}, {sin, [1]}, {cos, [1]}, {tan, [1]}, {asin, [1]}, {acos, [2]}, {atan, [1]}, {atan2, [1, 2]}, {sinh, [1]}, {cosh, [1]}, {tanh, [1]}, {asinh, [1]}, {acosh, [2]}, {atanh, [0.5]}, {atanh, [1]},
        {floor, [2.7]}, {ceil, [2.1]}, {floor, [-2.5]}, {fmod, [7, 3]}, {fmod, [7.5, 2]}, {fmod, [1, 0]}, {erf, [0.5]}, {erfc, [0.5]}, {sin, [a]}, {sqrt, ["x"]}, {pow, [a, 1]}, {sqrt, [1 bsl 2000]}, {log, [1 bsl 100]}, {sin, [1.0e22]}, {tau, []}]].
