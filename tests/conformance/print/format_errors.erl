%% Wrong formats and arguments raise badarg.
-module(format_errors).
-export([main/0]).

main() ->
    [io:format("~p ~p: ~p~n", [F, A, try io_lib:format(F, A) of L -> lists:flatten(L) catch C:R -> {C, R} end]) || {F, A} <- [
        {"~w", []}, {"~w", [1, 2]}, {"~w", notalist}, {"~z", [1]}, {"~s", [1]}, {"~s", [{a}]}, {"~b", [1.5]}, {"~b", [a]}, {"~f", [1]}, {"~f", ["x"]}, {"~c", [a]}, {"~", []},
        {"~10", [1]}, {"~.16", [1]}, {"~e", [1]}, {"~g", [a]}, {"~.99b", [1]}, {"~.1b", [5]}, {"~x", [1, 2]}, {"~s", [[1, a]]}, {"~s", [[256]]}, {"~ts", [[-1]]}, {"~ts", [<<255>>]}, {"~s", [<<255>>]},
        {"~*w", [a, 1]}, {"~P", [a]}, {"~i", []}, {"~n~w", []}, {"text", [extra]}, {nope, []}, {"~w~n", [1 | 2]}, {5, []}]].
