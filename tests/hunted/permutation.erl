%% Four senders. It fails for one of the 24 orders of arrival.
-module(permutation).
-export([main/0]).
main() ->
    Me = self(),
    [spawn(fun() -> Me ! I end) || I <- [1, 2, 3, 4]],
    Order = [receive I -> I end || _ <- [1, 2, 3, 4]],
    true = Order =/= [3, 1, 4, 2].
