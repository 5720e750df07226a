%% A shop: a reservation is a process, which ends as sold or expired.
-module(inventory).
-export([main/0]).

main() ->
    Me = self(),
    Stock = spawn_link(fun() -> stock(2) end),
    [spawn_link(fun() -> Me ! {cart, N, cart(Stock, N)} end) || N <- [1, 2, 3]],
    Results = [receive {cart, N, R} -> R end || N <- [1, 2, 3]],
    Sold = length([1 || sold <- Results]),
    io:format("~p ~p~n", [3, Results]),
    Stock ! {left, self()},
    Left = receive {left, L} -> L end,
    if
        Sold + Left =:= 2 -> ok;
        true -> exit({stock_wrong, sold, Sold, left, Left})
    end.

cart(Stock, N) ->
    Stock ! {reserve, self()},
    receive
        none -> none;
        {reserved, R} ->
            timer:sleep(N * 9),
            M = monitor(process, R),
            bank(),
            R ! {pay, self()},
            receive
                {paid, R} -> demonitor(M, [flush]), sold;
                {'DOWN', M, _, _, _} -> expired
            end
    end.

stock(N) ->
    receive
        {reserve, P} when N > 0 ->
            Self = self(),
            P ! {reserved, spawn(fun() -> reservation(Self) end)},
            stock(N - 1);
        {reserve, P} -> P ! none, stock(N);
        back -> stock(N + 1);
        {left, P} -> timer:sleep(100), P ! {left, N + backs(0)}
    end.

backs(N) -> receive back -> backs(N + 1) after 0 -> N end.

reservation(Stock) ->
    receive {pay, P} -> P ! {paid, self()}
    after 20 -> Stock ! back
    end.

%% The bank takes its time.
bank() -> timer:sleep(rand:uniform(3)).
