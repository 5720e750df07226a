%% The entry exits.
-module(exit_in_main).
-export([main/0]).

main() -> io:format("before~n"), exit({some, reason}).
