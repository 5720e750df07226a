%% N processes wait for ever, while two others send to one: explored, a step costs what it touches, and not how many sleep.
-module(sleepers).
-export([main/1]).

main([Size]) ->
    Main = self(),
    _ = [spawn(fun() -> receive stop -> ok end end) || _ <- lists:seq(1, list_to_integer(Size))],
    [spawn(fun() -> Main ! I end) || I <- [1, 2]],
    [receive I -> I end || _ <- [1, 2]].
