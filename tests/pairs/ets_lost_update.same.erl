%% The same with a table that has a name, and without the function in between.
-module(ets_lost_update).
-export([main/0]).

main() ->
    ets:new(shop, [public, named_table]),
    true = ets:insert(shop, {apples, 10}),
    Me = self(),
    [spawn(fun() -> take(N), Me ! taken end) || N <- [1, 2, 3]],
    [receive taken -> ok end || _ <- [1, 2, 3]],
    [{apples, Left}] = ets:lookup(shop, apples),
    case Left of 4 -> ok; _ -> exit({left, Left}) end.

take(N) ->
    [{apples, Before}] = ets:lookup(shop, apples),
    ets:insert(shop, {apples, Before - N}).
