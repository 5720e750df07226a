%% A handler dies, so its client waits 5 s in vain, and then all fails: what decided is no cause in the log.
%% Cause: the handler sends to the name backend before it is registered.
-module(asked_too_early).
-export([main/0]).

main() ->
    S = spawn_link(fun server/0),
    spawn(fun() -> register(backend, self()), receive {q, From} -> From ! answer end end),
    {_, R} = spawn_monitor(fun() -> client(S) end),
    receive
        {'DOWN', R, process, _, normal} -> S ! stop;
        {'DOWN', R, process, _, Why} -> exit({client, Why})
    end.

server() ->
    receive
        {get, From} ->
            spawn(fun() -> From ! ask_backend() end),
            server();
        stop ->
            ok
    end.

ask_backend() ->
    backend ! {q, self()},
    receive answer -> answer end.

client(S) ->
    S ! {get, self()},
    receive answer -> ok after 5000 -> exit(timeout) end.
