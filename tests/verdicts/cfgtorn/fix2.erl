%% A service reads host and port from the configuration; operations switch both
%% to the stand-by.
-module(cfgtorn).
-export([main/0]).

main() ->
    Conf = spawn_link(fun() -> conf("db1", 5001) end),
    register(conf, Conf),
    Self = self(),
    Clients = [spawn_link(fun() -> Self ! {self(), [connect() || _ <- [1, 2]]} end) || _ <- [a, b]],
    Ops = spawn_link(fun() -> switch("db2", 5002), Self ! {self(), []} end),
    Results = lists:append([receive {P, R} -> R end || P <- [Ops | Clients]]),
    unlink(Conf),
    exit(Conf, kill),
    [ok = R || R <- Results],
    io:format("~p connections~n", [length(Results)]).

switch(Host, Port) ->
    conf ! {switch, Host, Port}.

connect() ->
    conf ! {address, self()},
    case receive {address, H, P} -> {H, P} end of
        {"db1", 5001} -> ok;
        {"db2", 5002} -> ok;
        Torn -> {refused, Torn}
    end.

conf(Host, Port) ->
    receive
        {address, From} -> From ! {address, Host, Port}, conf(Host, Port);
        {switch, H, P} -> conf(H, P)
    end.
