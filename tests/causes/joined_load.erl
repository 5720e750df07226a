%% A cache forgets a price when it changes. Who asks while a load is under way gets what that load brings.
%% Cause: the load had read the price before main changed it, and main's question came before the load was done.
-module(joined_load).
-export([main/0]).

main() ->
    prices = ets:new(prices, [named_table, public]),
    true = ets:insert(prices, {bread, 1}),
    Cache = spawn_link(fun() -> cache(#{}) end),
    Cache ! {price, spawn(fun() -> receive {price, _} -> ok end end)},
    true = ets:insert(prices, {bread, 2}),
    Cache ! forget,
    {ok, 2} = price(Cache),
    ok.

price(Cache) ->
    Cache ! {price, self()},
    receive {price, Price} -> {ok, Price} end.

cache(State) ->
    receive
        forget -> cache(case State of #{price := _} -> #{}; _ -> State end);
        {price, Who} -> cache(ask(Who, State));
        {loaded, Price} ->
            [Who ! {price, Price} || Who <- maps:get(waiting, State)],
            cache(#{price => Price})
    end.

ask(Who, #{price := Price} = State) ->
    Who ! {price, Price},
    State;
ask(Who, #{waiting := Others}) ->
    #{waiting => [Who | Others]};
ask(Who, _) ->
    Self = self(),
    spawn_link(fun() -> Self ! {loaded, ets:lookup_element(prices, bread, 2)} end),
    #{waiting => [Who]}.
