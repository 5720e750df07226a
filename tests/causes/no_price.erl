%% A default hides an exception: the price of `tea` is not in the table, badkey is caught and 0 is used; the total is wrong.
%% Cause: price/2 caught error {badkey,tea} at no_price.erl:19 and returned 0.
-module(no_price).
-export([main/0]).

main() ->
    Prices = #{coffee => 3, cake => 4},
    Total = total([coffee, tea, cake], Prices),
    check(Total).

check(Total) when Total > 7 -> ok;
check(Total) -> exit({wrong_total, Total}).

total(Items, Prices) ->
    lists:sum([price(Item, Prices) || Item <- Items]).

price(Item, Prices) ->
    try
        maps:get(Item, Prices)
    catch
        _:_ -> 0
    end.
