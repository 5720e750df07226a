%% Three processes send to one, and then two others answer each other N times: explored, a step costs the same, however long the run is.
-module(suffix).
-export([main/1]).

main([Size]) ->
    Main = self(),
    [spawn(fun() -> Main ! I end) || I <- [1, 2, 3]],
    [receive I -> I end || _ <- [1, 2, 3]],
    Echo = spawn(fun echo/0),
    ask(Echo, list_to_integer(Size)).

ask(Echo, 0) -> Echo ! stop;
ask(Echo, N) ->
    Echo ! {self(), N},
    receive N -> ask(Echo, N - 1) end.

echo() ->
    receive
        {From, N} -> From ! N, echo();
        stop -> ok
    end.
