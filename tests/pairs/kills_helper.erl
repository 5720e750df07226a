%% Two helpers answer; the program takes the first answer for that of the first helper.
-module(kills_helper).
-export([main/0]).

main() ->
    Me = self(),
    [spawn(fun() -> Me ! {N, N * N} end) || N <- [2, 3]],
    receive {_, Square} -> check(Square) end.

check(4) -> ok.
