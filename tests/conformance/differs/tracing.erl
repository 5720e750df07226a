%% Tracing of what is not an action, or has a fast way of its own.
-module(tracing).
-export([main/0]).
main() -> io:format("~p~n", [try erlang:trace(self(), true, [send]) catch error:undef -> undef end]).
