%% `-feature(maybe_expr, disable)`: the words are atoms.
-module(maybe_disabled).
-feature(maybe_expr, disable).
-export([main/0, maybe/1]).

-ifdef(FEATURE_AVAILABLE).
available() -> {?FEATURE_AVAILABLE(maybe_expr), ?FEATURE_AVAILABLE(no_such_feature)}.
-else.
available() -> none.
-endif.
enabled() -> {?FEATURE_ENABLED(maybe_expr), ?FEATURE_ENABLED(no_such_feature)}.

-record(maybe, {else}).

maybe(else) -> {maybe, else};
maybe(X) when X =:= maybe -> #maybe{else = X}.

main() ->
    io:format("~p~n", [available()]),
    io:format("~p~n", [enabled()]),
    io:format("~w~n", [[maybe, else, 'maybe', 'else']]),
    io:format("~p~n", [maybe(else)]),
    io:format("~p~n", [(maybe(maybe))#maybe.else]),
    io:format("~p~n", [[else || maybe <- [maybe, no]]]),
    io:format("~s~n", [maybe]).
