%% Standard input is at its end.
-module(io_input).
-export([main/0]).

main() -> io:format("~w~n", [io:get_line("")]), io:format("~w~n", [io:get_line('prompt> ')]), io:format("~w~n", [io:fread("", "~d")]), io:format("~w~n", [io:get_chars("", 3)]), io:format("~w~n", [io:read("")]).
