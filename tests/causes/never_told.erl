%% A worker begins only when it is told to, and nobody tells it.
%% Cause: the worker waits for `begin`, which nobody sends.
-module(never_told).
-export([main/0]).

main() ->
    Main = self(),
    Worker = spawn(fun() -> work(Main) end),
    receive
        {Worker, Result} -> Result
    after 300 ->
        exit({no_result, Worker})
    end.

work(Main) ->
    receive
        'begin' -> ok
    end,
    Main ! {self(), done}.
