%% The client waits for longer.
-module(short_wait).
-export([main/0]).

main() ->
    Server = spawn_link(fun() -> loop(60) end),
    call(Server, 5000).

call(Server, Timeout) ->
    Server ! {self(), go},
    receive done -> ok after Timeout -> error(timeout) end.

loop(Time) ->
    receive {From, go} -> timer:sleep(Time), From ! done, loop(Time) end.
