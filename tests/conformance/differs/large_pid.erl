%% A pid with a number that is too large.
-module(large_pid).
-export([main/0]).
main() -> io:format("~w~n", [try is_pid(list_to_pid("<0.99999999999.0>")) catch Class:Reason -> {Class, Reason} end]).
