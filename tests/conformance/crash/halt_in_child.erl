%% Another process halts the system.
-module(halt_in_child).
-export([main/0]).

main() -> spawn(fun() -> io:format("child~n"), halt(4) end), receive after infinity -> ok end.
