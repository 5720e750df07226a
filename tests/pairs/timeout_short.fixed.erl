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

poll(_) -> receive ready -> ready end.
