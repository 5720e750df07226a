%% An order is cancelled while it is placed: the bank is asked for the refund before it has charged, and the stock is freed before it has reserved.
%% Cause: two choices together: the bank takes `refund` before `charge`, and the stock `free` before `reserve`.
-module(refunded_early).
-export([main/0]).

main() ->
    Stock = spawn_link(fun() -> keep(none) end),
    Bank = spawn_link(fun() -> keep(none) end),
    Me = self(),
    Order = spawn(fun() ->
        Stock ! {set, any, reserved},
        Bank ! {set, any, charged},
        Me ! placed
    end),
    erlang:monitor(process, Order),
    Stock ! {set, reserved, free},
    Bank ! {set, charged, refunded},
    receive placed -> ok end,
    case {ask(Stock), ask(Bank)} of
        {free, refunded} -> ok;
        Other -> error({cancelled, Other})
    end.

ask(Server) ->
    Server ! {self(), state},
    receive {Server, State} -> State end.

keep(State) ->
    receive
        {set, From, New} when From =:= any; From =:= State -> keep(New);
        {set, _, _} -> keep(State);
        {Client, state} -> Client ! {self(), State}, keep(State)
    end.
