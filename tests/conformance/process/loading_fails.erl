-module(loading_fails).
-export([value/1]).
-on_load(initial/0).

initial() ->
    case persistent_term:get(loading_fails, later) of
        now -> ok;
        later -> failed
    end.

value(X) -> {X, persistent_term:get(loading_fails)}.
