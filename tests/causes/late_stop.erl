%% A runner runs nine rounds and is to be stopped before the last one; if nobody stops him, he falls.
%% Cause: main sleeps for longer than nine rounds take. What the runner was created with is not to blame.
-module(late_stop).
-export([main/0]).

main() ->
    Runner = spawn_link(fun() -> lap(9) end),
    timer:sleep(60),
    Runner ! {stop, self()},
    receive stopped -> ok end.

lap(0) -> error(fell);
lap(N) -> receive {stop, Who} -> Who ! stopped after 5 -> lap(N - 1) end.
