%% halt after output from another process.
-module(halt_string).
-export([main/0]).

main() -> Me = self(), spawn(fun() -> io:format("child~n"), Me ! done end), receive done -> halt(3) end.
