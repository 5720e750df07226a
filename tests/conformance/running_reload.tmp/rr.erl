-module(rr).
-export([loop/1, step/1]).
loop(N) ->
 receive {tick, P} -> M = step(N), P ! M, ?MODULE:loop(M) end.
step(N) -> N + 1.
