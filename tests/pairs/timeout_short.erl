%% A poll gives up before the answer is there.
-module(timeout_short).
-export([main/0]).

main() ->
    Main = self(),
    spawn(fun() -> Main ! ready end),
    case poll(1) of
        ready -> ok;
        gave_up -> error(gave_up)
    end.

poll(0) -> gave_up;
poll(N) -> receive ready -> ready after 0 -> poll(N - 1) end.
