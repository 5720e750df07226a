%% A service reads host and port from the configuration; operations switch both
%% to the stand-by.
-module(cfgtorn).
-export([main/0]).

main() ->
    set(host, "db1"),
    set(port, 5001),
    Self = self(),
    Clients = [spawn_link(fun() -> Self ! {self(), [connect() || _ <- [1, 2]]} end) || _ <- [a, b]],
    Ops = spawn_link(fun() -> switch("db2", 5002), Self ! {self(), []} end),
    Results = lists:append([receive {P, R} -> R end || P <- [Ops | Clients]]),
    [ok = R || R <- Results],
    io:format("~p connections~n", [length(Results)]).

switch(Host, Port) ->
    set(port, Port),
    set(host, Host).

connect() ->
    Host = get_conf(host),
    Port = get_conf(port),
    case {Host, Port} of
        {"db1", 5001} -> ok;
        {"db2", 5002} -> ok;
        Torn -> {refused, Torn}
    end.

set(Key, Value) -> persistent_term:put({?MODULE, Key}, Value).
get_conf(Key) -> persistent_term:get({?MODULE, Key}).
