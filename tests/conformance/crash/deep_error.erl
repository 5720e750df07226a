%% An error after a million frames.
-module(deep_error).
-export([main/0]).

main() -> io:format("~w~n", [catch_it(fun() -> deep(1000000) end)]), deep(10).
deep(0) -> error(bottom);
deep(N) -> 1 + deep(N - 1).
catch_it(F) -> try F() catch C:R -> {C, R} end.
