%% Two clerks work through their own files for long, and each books once: the sum goes to the one who waits for it.
-module(rareets).
-export([main/0]).

main() ->
    Me = self(),
    [spawn_link(fun() -> clerk(N, Me) end) || N <- [100, 101]],
    case lists:sum([receive {booked, S} -> S end || _ <- [1, 2]]) of
        201 -> ok;
        V -> error({lost_booking, V})
    end.

clerk(N, Main) ->
    File = spawn_link(fun() -> file_server() end),
    Sum = work(File, N, 0),
    File ! stop,
    Main ! {booked, Sum}.

work(_, 0, Sum) -> Sum;
work(File, N, Sum) ->
    File ! {page, self(), N},
    receive {page, _} -> work(File, N - 1, Sum + 1) end.

file_server() ->
    receive
        {page, From, N} -> From ! {page, N}, file_server();
        stop -> ok
    end.
