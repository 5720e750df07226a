%% A price is set under a key that looks like an association, and is wrong.
%% Cause: {put, 5} made the price 5.
-module(odd_price).
-export([main/0]).

main() ->
    Prices = #{<<"a => b">> => 0, other => lists:duplicate(30, filler)},
    Shop = spawn(fun() -> shop(Prices) end),
    Shop ! {put, 5},
    Shop ! {get, self()},
    receive
        {value, 0} -> ok;
        {value, Value} -> error({bad_price, Value})
    end.

shop(Prices) ->
    receive
        {put, Value} ->
            shop(Prices#{<<"a => b">> := Value});
        {get, From} ->
            From ! {value, maps:get(<<"a => b">>, Prices)},
            shop(Prices)
    end.
