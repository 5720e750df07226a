%% Two tellers read a balance and set it with ets:update_element. Cause: lost update of key acc.
-module(bank_element).
-export([main/0]).
main() ->
    T = ets:new(bank, [public]),
    ets:insert(T, {acc, 30, open}),
    Me = self(),
    [spawn(fun() -> add(T, N), Me ! done end) || N <- [10, 20]],
    [receive done -> ok end || _ <- [1, 2]],
    [{acc, 60, open}] = ets:lookup(T, acc).
add(T, N) ->
    B = ets:lookup_element(T, acc, 2),
    ets:update_element(T, acc, {2, B + N}).
