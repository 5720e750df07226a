%% N processes wait, two others send to one, and then all that wait get a message: explored, a step costs what it touches.
-module(woken).
-export([main/1]).

main([Size]) ->
    Main = self(),
    Waiting = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, list_to_integer(Size))],
    [spawn(fun() -> Main ! I end) || I <- [1, 2]],
    [receive I -> I end || _ <- [1, 2]],
    [Pid ! stop || Pid <- Waiting].
