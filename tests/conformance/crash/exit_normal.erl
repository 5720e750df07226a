%% The entry exits normally.
-module(exit_normal).
-export([main/0]).

main() -> io:format("before~n"), exit(normal).
