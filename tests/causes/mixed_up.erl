%% Two guests order; the kitchen answers the second one with the first one's dish. The second fails at once, the first after 3 s in vain.
%% Cause: no order helps: the kitchen answers whoever orders second with what was ordered first. Neither guest is the cause of the other's failure.
-module(mixed_up).
-export([main/0]).

main() ->
    Kitchen = spawn(fun kitchen/0),
    Guests = [guest(Kitchen, Dish) || Dish <- [soup, fish]],
    [receive {'DOWN', Left, process, _, Why} -> normal = Why end || Left <- Guests],
    ok.

guest(Kitchen, Dish) ->
    {_, Left} = spawn_monitor(fun() ->
        Kitchen ! {order, Dish, self()},
        receive
            {dish, Dish} -> ok;
            {dish, _} -> exit(not_mine)
        after 3000 -> exit(hungry)
        end
    end),
    Left.

kitchen() ->
    receive {order, First, _} -> ok end,
    receive {order, _, Who} -> Who ! {dish, First} end.
