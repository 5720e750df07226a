%% Two processes count in a table, each reading before it writes, in an order that the scheduler has. The fix counts in one step.
-module(ets_lost_update).
-export([main/0]).

main() ->
    Table = ets:new(stock, [public, set]),
    true = ets:insert(Table, {apples, 10}),
    Me = self(),
    Take = fun(N) -> spawn(fun() -> take(Table, N), Me ! taken end) end,
    [Take(N) || N <- [1, 2, 3]],
    [receive taken -> ok end || _ <- [1, 2, 3]],
    [{apples, Left}] = ets:lookup(Table, apples),
    case Left of 4 -> ok; _ -> exit({left, Left}) end.

take(Table, N) ->
    [{apples, Before}] = ets:lookup(Table, apples),
    ets:insert(Table, {apples, left(Before, N)}).

left(Before, N) -> Before - N.
