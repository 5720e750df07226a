%% Tracing.
-module(tracing).
-export([main/0]).
main() -> io:format("~p~n", [try erlang:trace(all, false, [all]) >= 0 catch error:undef -> undef end]).
