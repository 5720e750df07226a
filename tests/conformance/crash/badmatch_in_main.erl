%% A match fails two calls deep.
-module(badmatch_in_main).
-export([main/0]).

main() -> X = f(id(1)), io:format("~w~n", [X]).
f(N) -> 1 + g(N).
g(N) -> {ok, V} = id({error, N}), V.
id(X) -> put(x, X), get(x).
