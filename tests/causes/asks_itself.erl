%% A client asks the process that it is, by a request with its own pid, and a watchdog loses patience.
%% Cause: the client sent its request to itself, and waits for an answer that nobody will send.
-module(asks_itself).
-export([main/0]).

main() ->
    {Client, Monitor} = spawn_monitor(fun client/0),
    receive
        {'DOWN', Monitor, process, Client, _} -> ok
    after 500 ->
        exit({frozen, Client})
    end.

client() ->
    Request = make_ref(),
    self() ! {request, self(), Request},
    receive
        {Request, answer} -> ok
    end.
