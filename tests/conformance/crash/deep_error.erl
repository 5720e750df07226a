%% An error after a million frames; a trace shows the eight innermost.
-module(deep_error).
-export([main/0]).

main() -> io:format("~w~n", [catch_it(fun() -> deep(id(1000000)) end)]), deep(id(20)).
deep(0) -> case id(bottom) of bottom -> error(bottom); _ -> 0 end;
deep(N) -> 1 + deep(N - 1).
catch_it(F) -> try F() catch C:R -> {C, R} end.
id(X) -> put(x, X), get(x).
