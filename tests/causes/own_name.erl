%% A clerk writes his desk's name on his door; the office gives the desk its name.
%% Cause: the clerk looked at his registered name before main had registered him.
-module(own_name).
-export([main/0]).

main() ->
    Office = self(),
    Clerk = spawn(fun() -> clerk(Office) end),
    true = register(desk, Clerk),
    receive {door, Name} -> {registered_name, desk} = Name end,
    Clerk ! close,
    ok.

clerk(Office) ->
    Office ! {door, process_info(self(), registered_name)},
    receive close -> ok end.
