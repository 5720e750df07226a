%% Somebody ticks for ever and is cut by the timeout of the tracer; another one has done all that is in its log.
-module(ticks).
-export([main/0]).
main() ->
    self() ! a,
    receive a -> ok end,
    spawn(fun() -> tick() end),
    io:format("after~n"),
    receive never -> ok end.
tick() -> io:format("tick~n"), timer:sleep(50), tick().
