%% Not instrumented: its sends and receives are in no log.
-module(plain_logger).
-export([start/0, log/1, stop/0, loop/1]).
start() -> register(logger_of_fixture, spawn(?MODULE, loop, [[]])).
log(Line) -> logger_of_fixture ! {log, Line}.
stop() -> logger_of_fixture ! {stop, self()}, receive {all, Lines} -> Lines end.
loop(Lines) ->
    receive
        {log, Line} -> loop([Line | Lines]);
        {stop, From} -> From ! {all, Lines}
    end.
