%% halt, with a process still running.
-module(halt_zero).
-export([main/0]).

main() -> spawn(fun() -> receive after infinity -> ok end end), io:format("before~n"), halt().
