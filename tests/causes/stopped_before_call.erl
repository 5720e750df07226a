%% A server is told to stop while a client calls it. The client's monitor already finds it gone, so the call's number differs from the one in a run
%% that goes well.
%% Cause: the server takes stop before {get, _, _}.
-module(stopped_before_call).
-export([main/0]).

main() ->
    S = spawn(fun() -> loop() end),
    spawn(fun() -> S ! stop end),
    Ref = monitor(process, S),
    S ! {get, Ref, self()},
    receive
        {Ref, ok} -> ok;
        {'DOWN', Ref, process, S, Why} -> exit({gone, Why})
    end.

loop() ->
    receive
        stop -> ok;
        {get, Ref, From} -> From ! {Ref, ok}, loop()
    end.
