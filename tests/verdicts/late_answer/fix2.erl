%% A client with timeouts and retries; every request has an alias that ends with it.
-module(late_answer).
-export([main/0]).

-define(PRICES, #{apple => 3, pear => 5, plum => 7}).

main() ->
    Server = spawn(fun() -> server(?PRICES) end),
    Me = self(),
    {_, Ref} = spawn_monitor(fun() -> Me ! {prices, [{F, price(Server, F)} || F <- [apple, pear, plum]]} end),
    receive
        {prices, Prices} ->
            io:format("~p~n", [Prices]),
            verify(Prices);
        {'DOWN', Ref, _, _, Why} ->
            exit(Why)
    end,
    exit(Server, kill).

verify(Prices) ->
    Wrong = [P || P = {F, N} <- Prices, N =/= maps:get(F, ?PRICES)],
    Wrong =:= [] orelse error({wrong_price, Wrong}).

price(Server, F) ->
    Alias = erlang:monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {price, Alias, F},
    receive
        {Alias, N} -> N;
        {'DOWN', Alias, _, _, Why} -> exit(Why)
    after 12 ->
        erlang:demonitor(Alias, [flush]),
        receive {Alias, N} -> N after 0 -> price(Server, F) end
    end.

server(Prices) ->
    receive
        {price, Alias, F} ->
            timer:sleep(8 + rand:uniform(3)),
            Alias ! {Alias, maps:get(F, Prices)},
            server(Prices)
    end.
