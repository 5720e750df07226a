%% N processes send their numbers to themselves and end: nothing is chosen.
-module(idle).
-export([main/1]).

main([Size]) ->
    N = list_to_integer(Size),
    [spawn(fun() -> self() ! I, receive I -> ok end end) || I <- lists:seq(1, N)],
    ok.
