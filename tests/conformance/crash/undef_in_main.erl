%% A call to a function that does not exist.
-module(undef_in_main).
-export([main/0]).

main() -> io:format("before~n"), no_such_module:f(1, 2).
