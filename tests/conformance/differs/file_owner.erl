%% The reason for which the process of a file ends.
-module(file_owner).
-export([main/0]).

main() ->
    Main = self(),
    Owner = spawn(fun() -> Main ! {file, file:open("/dev/null", [read])}, receive stop -> exit(some_reason) end end),
    receive {file, Opened} -> ended(Opened, Owner) end.

ended({ok, File}, Owner) ->
    Monitor = monitor(process, File),
    Owner ! stop,
    receive {'DOWN', Monitor, _, _, Reason} -> io:format("~p~n", [Reason]) end;
ended(Error, _) ->
    io:format("~p~n", [Error]).
