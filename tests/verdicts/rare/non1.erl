%% Two clerks work through their own files for long, and each books once on a shared account: rarely at the same time.
-module(rare).
-export([main/0]).

main() ->
    Account = spawn_link(fun() -> account(0) end),
    Me = self(),
    [spawn_link(fun() -> clerk(Account, N, Me) end) || N <- [280, 320]],
    [receive booked -> ok end || _ <- [1, 2]],
    Account ! {read, self()},
    receive
        {value, 600} -> ok;
        {value, V} -> error({lost_booking, V})
    end,
    unlink(Account), exit(Account, kill).

clerk(Account, N, Main) ->
    File = spawn_link(fun() -> file_server() end),
    Account ! {hello, self()},
    receive welcome -> ok end,
    Sum = work(File, N, 0),
    book(Account, Sum),
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

book(Account, Sum) ->
    Account ! {read, self()},
    receive {value, V} -> Account ! {write, V + Sum, self()} end,
    receive written -> ok end.

account(V) ->
    receive
        {read, From} -> From ! {value, V}, account(V);
        {hello, From} -> From ! welcome, account(V);
        {write, New, P} -> P ! written, account(New)
    end.
