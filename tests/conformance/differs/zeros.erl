%% `0.0` and `-0.0` in one module.
-module(zeros).
-export([main/0]).
main() -> io:format("~w ~w~n", [zero(a), zero(b)]).

zero(a) -> {0.0, x};
zero(b) -> {-0.0, x}.
