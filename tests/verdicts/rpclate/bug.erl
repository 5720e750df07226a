%% Price lookups with a hand-made request/reply and a timeout.
-module(rpclate).
-export([main/0]).

-define(TIMEOUT, 30).

main() ->
    Server = spawn_link(fun() -> server(#{apple => 10, pear => 20, plum => 30}) end),
    Basket = [apple, pear, plum],
    Prices = [{F, price(Server, F)} || F <- Basket],
    io:format("~p~n", [Prices]),
    [check(F, P) || {F, P} <- Prices],
    unlink(Server),
    exit(Server, kill),
    ok.

check(_, unknown) -> ok;
check(apple, 10) -> ok;
check(pear, 20) -> ok;
check(plum, 30) -> ok;
check(F, P) -> error({wrong_price, F, P}).

price(Server, Fruit) ->
    Server ! {price, self(), Fruit},
    receive
        {price, P} -> P
    after ?TIMEOUT ->
        unknown
    end.

server(Table) ->
    receive
        {price, From, Fruit} ->
            disk(),
            From ! {price, maps:get(Fruit, Table)},
            server(Table)
    end.

disk() ->
    <<B>> = crypto:strong_rand_bytes(1),
    timer:sleep(B rem 34).
