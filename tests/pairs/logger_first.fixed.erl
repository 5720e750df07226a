%% A seat is sold twice: two clients ask before either books. The fix books in one message, and starts a log before the clients.
-module(logger_first).
-export([main/0]).

main() ->
    Me = self(),
    Log = spawn(fun() -> log(0) end),
    Seats = spawn(fun() -> seats(1) end),
    spawn(fun() -> client(Seats, Me) end),
    spawn(fun() -> client(Seats, Me) end),
    Sold = [receive {sold, Yes} -> Log ! sold, Yes end || _ <- [1, 2]],
    Seats ! stop,
    Log ! stop,
    [true] = [Yes || Yes <- Sold, Yes].

seats(Free) ->
    receive
        {free, From} when Free > 0 -> From ! {free, Free}, seats(Free - 1);
        {free, From} -> From ! {free, 0}, seats(0);
        book -> seats(Free);
        stop -> ok
    end.

client(Seats, Main) ->
    Seats ! {free, self()},
    receive
        {free, 0} -> Main ! {sold, false};
        {free, _} -> Seats ! book, Main ! {sold, true}
    end.

log(N) -> receive sold -> log(N + 1); stop -> N end.
