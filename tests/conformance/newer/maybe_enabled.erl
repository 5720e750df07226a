%% `-feature(maybe_expr, enable)` says what is so.
-module(maybe_enabled).
-feature(maybe_expr, enable).
-export([main/0]).

enabled() -> ?FEATURE_ENABLED(maybe_expr).

main() ->
    io:format("~p~n", [enabled()]),
    io:format("~p~n", [?FEATURE_AVAILABLE(maybe_expr)]),
    io:format("~p~n", [maybe {ok, X} ?= {ok, 1}, X + 1 end]),
    io:format("~p~n", [maybe {ok, Y} ?= {error, 1}, Y + 1 else {error, E} -> {E} end]),
    io:format("~p~n", [-1 + maybe 2 end]),
    io:format("~w~n", [['else', 'maybe']]).
