%% An order goes to the shop directly, its payment through the bank: the payment may come first.
-module(twopaths).
-export([main/0]).

main() ->
    Shop = spawn_link(fun() -> shop(#{}) end),
    Bank = spawn_link(fun() -> bank(Shop) end),
    [buy(Shop, Bank, N) || N <- [1, 2, 3]],
    Shop ! {report, self()},
    receive {paid, _} -> io:format("paid~n") end.

buy(Shop, Bank, N) ->
    Bank ! {pay, N},
    Shop ! {order, N}.

bank(Shop) ->
    receive {pay, N} -> Shop ! {paid, N}, bank(Shop) end.

shop(Orders) ->
    receive
        {order, N} -> shop(Orders#{N => open});
        {paid, N} ->
            open = maps:get(N, Orders, unknown_order),
            shop(Orders#{N => paid});
        {report, From} -> From ! {paid, maps:size(Orders)}, shop(Orders)
    end.
