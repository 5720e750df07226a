%% One process sleeps, another waits for it with a longer timeout; then its mailbox is drained.
-module(sleep_race).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> timer:sleep(10), Me ! answer end),
    Got = receive answer -> in_time after 2000 -> too_late end,
    {Got, drain()}.
drain() -> receive _ -> 1 + drain() after 0 -> 0 end.
