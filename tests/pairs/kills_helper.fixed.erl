%% It waits for the right one, and kills the helpers that it no longer needs.
-module(kills_helper).
-export([main/0]).

main() ->
    Me = self(),
    All = [spawn(fun() -> Me ! {N, N * N}, receive never -> ok end end) || N <- [2, 3]],
    receive {2, Square} -> check(Square) end,
    [exit(P, kill) || P <- All].

check(4) -> ok.
