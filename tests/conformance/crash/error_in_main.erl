%% The entry fails with an error.
-module(error_in_main).
-export([main/0]).

main() -> io:format("before~n"), error(boom).
