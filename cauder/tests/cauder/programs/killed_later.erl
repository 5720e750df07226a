%% A ticker is killed after it has sent; its sends come first, however fast the one who kills it is here.
-module(killed_later).
-export([main/0]).
main() ->
    Log = spawn(fun() -> log(0) end),
    Ticker = spawn(fun() -> tick(Log) end),
    busy(3000000),
    exit(Ticker, kill),
    Log ! {stop, self()},
    receive {ticks, N} -> N > 0 end.
tick(Log) -> Log ! tick, timer:sleep(500), tick(Log).
log(N) -> receive tick -> log(N + 1); {stop, From} -> From ! {ticks, N} end.
busy(0) -> ok;
busy(N) -> busy(N - 1).
