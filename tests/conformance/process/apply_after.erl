%% Timeouts in a loop: a heartbeat counted against a deadline.
-module(apply_after).
-export([main/0]).

main() -> Me = self(), spawn(fun() -> beat(Me, 5) end), io:format("~w~n", [count(0)]).
beat(_, 0) -> ok;
beat(P, N) -> receive after 3 -> P ! beat, beat(P, N - 1) end.
count(N) -> receive beat -> count(N + 1) after 300 -> {beats, N} end.
