%% A client with timeouts and retries; answers are not tagged with their request.
-module(late_answer).
-export([main/0]).

main() ->
    Server = spawn(fun() -> server(#{apple => 3, pear => 5, plum => 7}) end),
    Me = self(),
    Client = spawn(fun() ->
        Prices = [{F, price(Server, F, 3)} || F <- [apple, pear, plum]],
        Me ! {prices, Prices}
    end),
    Ref = monitor(process, Client),
    receive
        {prices, Prices} ->
            io:format("~p~n", [Prices]),
            verify(Prices);
        {'DOWN', Ref, _, _, Why} ->
            exit(Why)
    end,
    exit(Server, kill).

verify(Prices) ->
    Wrong = [P || P = {F, N} <- Prices, N =/= maps:get(F, #{apple => 3, pear => 5, plum => 7})],
    case Wrong of
        [] -> ok;
        _ -> error({wrong_price, Wrong})
    end.

price(_, F, 0) -> exit({unavailable, F});
price(Server, F, Tries) ->
    ask_price(Server, F),
    await_price(Server, F, Tries).

ask_price(Server, F) -> Server ! {price, self(), F}.

await_price(Server, F, Tries) ->
    receive
        {price, N} when is_integer(N) -> N
    after 10 -> price(Server, F, Tries - 1)
    end.

server(Prices) ->
    receive
        {price, From, F} ->
            timer:sleep(8 + rand:uniform(3)),
            From ! {price, maps:get(F, Prices)},
            server(Prices)
    end.
