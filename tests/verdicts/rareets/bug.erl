%% Two clerks work through their own files for long, and each books once in a shared table: rarely at the same time.
-module(rareets).
-export([main/0]).

main() ->
    ets:new(account, [named_table, public]),
    ets:insert(account, {value, 0}),
    Me = self(),
    [spawn_link(fun() -> clerk(N, Me) end) || N <- [100, 101]],
    [receive booked -> ok end || _ <- [1, 2]],
    case ets:lookup(account, value) of
        [{value, 201}] -> ok;
        [{value, V}] -> error({lost_booking, V})
    end.

clerk(N, Main) ->
    File = spawn_link(fun() -> file_server() end),
    Sum = work(File, N, 0),
    book(Sum),
    File ! stop,
    Main ! booked.

work(_, 0, Sum) -> Sum;
work(File, N, Sum) ->
    File ! {page, self(), N},
    receive {page, _} -> work(File, N - 1, Sum + 1) end.

file_server() ->
    receive
        {page, From, N} -> From ! {page, N}, file_server();
        stop -> ok
    end.

book(Sum) ->
    New = total(Sum),
    put_total(New).

total(Sum) ->
    [{value, V}] = ets:lookup(account, value),
    V + Sum.

put_total(New) ->
    ets:insert(account, {value, New}).
