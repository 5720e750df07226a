%% Two workers answer; the main process takes the answers in the order in which it started them.
-module(badmatch_order).
-export([main/0]).

main() ->
    Main = self(),
    _A = spawn(fun() -> Main ! {one, 1} end),
    _B = spawn(fun() -> Main ! {two, 2} end),
    X = next(one),
    Y = next(two),
    3 = X + Y.

next(Tag) -> receive {Tag, N} -> N end.
