%% Two workers answer; the main process takes the answers in the order in which it started them.
-module(badmatch_order).
-export([main/0]).

main() ->
    Main = self(),
    _A = spawn(fun() -> Main ! {one, 1} end),
    _B = spawn(fun() -> Main ! {two, 2} end),
    {one, X} = next(),
    {two, Y} = next(),
    3 = X + Y.

next() -> receive M -> M end.
