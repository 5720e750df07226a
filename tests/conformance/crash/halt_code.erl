%% halt with a code.
-module(halt_code).
-export([main/0]).

main() -> io:format("before~n"), halt(7).
