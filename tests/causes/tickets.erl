%% Two workers take a ticket number from a named table, one of them through the table's identifier. One number is lost.
%% Cause: lost update of key next of the table tickets: one wrote 2 over 2, computed from the 1 that it had read. (One table, one name.)
-module(tickets).
-export([main/0]).

main() ->
    tickets = ets:new(tickets, [named_table, public]),
    ets:insert(tickets, {next, 1}),
    Main = self(),
    spawn(fun() -> Main ! {done, take(tickets)} end),
    spawn(fun() -> Main ! {done, take(ets:whereis(tickets))} end),
    [receive {done, _} -> ok end || _ <- [1, 2]],
    [{next, 3}] = ets:lookup(tickets, next).

take(Table) ->
    [{next, N}] = ets:lookup(Table, next),
    ets:insert(Table, {next, N + 1}),
    N.
