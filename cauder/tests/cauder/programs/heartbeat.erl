%% A watcher counts the pauses that were too long.
-module(heartbeat).
-export([main/0]).
main() ->
    Watcher = spawn(fun() -> watch(0) end),
    [begin timer:sleep(Pause), Watcher ! beat end || Pause <- [5, 90, 5]],
    Watcher ! {stop, self()},
    receive {missed, N} -> N end.
watch(Missed) ->
    receive
        beat -> watch(Missed);
        {stop, From} -> From ! {missed, Missed}
    after 60 -> watch(Missed + 1)
    end.
