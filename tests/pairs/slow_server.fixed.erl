%% The server is faster now.
-module(slow_server).
-export([main/0]).

main() ->
    Server = spawn_link(fun() -> loop(20) end),
    call(Server, 50).

call(Server, Timeout) ->
    Server ! {self(), go},
    receive done -> ok after Timeout -> error(timeout) end.

loop(Time) ->
    receive {From, go} -> timer:sleep(Time), From ! done, loop(Time) end.
