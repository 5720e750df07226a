%% A seat is sold twice: two clients ask before either books. The fix books in one message, and starts a log before the clients.
-module(logger_first).
-export([main/0]).

main() ->
    Me = self(),
    Seats = spawn(fun() -> seats(1) end),
    spawn(fun() -> client(Seats, Me) end),
    spawn(fun() -> client(Seats, Me) end),
    Sold = [receive {sold, Yes} -> Yes end || _ <- [1, 2]],
    Seats ! stop,
    [true] = [Yes || Yes <- Sold, Yes].

seats(Free) ->
    receive
        {free, From} -> From ! {free, Free}, seats(Free);
        book -> seats(Free - 1);
        stop -> ok
    end.

client(Seats, Main) ->
    Seats ! {free, self()},
    receive
        {free, 0} -> Main ! {sold, false};
        {free, _} -> Seats ! book, Main ! {sold, true}
    end.
