%% A pool waits 80 ms at most for a connection. That one waits for a resolver, which is asked for another name first, and then works itself.
%% Cause: 20 ms of the first name were left (line 31), 40 ms for the own name, and 25 ms of work after that (line 26): 85 ms, 5 more than 80 (line 20).
-module(two_waits).
-export([main/0]).

main() ->
    Resolver = spawn_link(fun resolver/0),
    Pool = spawn_link(fun() -> pool(Resolver) end),
    Main = self(),
    spawn_link(fun() -> ok = resolve(Resolver, 30) end),
    timer:sleep(10),
    Pool ! {checkout, Main},
    receive {connection, _} -> ok end.

pool(Resolver) ->
    receive
        {checkout, Client} ->
            Connection = spawn_link(fun() -> connection(Resolver) end),
            Connection ! {connect, self()},
            receive connected -> Client ! {connection, Connection} after 80 -> exit(too_slow) end
    end.

connection(Resolver) ->
    receive {connect, Pool} ->
        ok = resolve(Resolver, 40),
        timer:sleep(25),
        Pool ! connected
    end.

resolver() ->
    receive {resolve, Who, Ms} -> timer:sleep(Ms), Who ! resolved end,
    resolver().

resolve(Resolver, Ms) ->
    Resolver ! {resolve, self(), Ms},
    receive resolved -> ok end.
