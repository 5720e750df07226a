%% The failing value was received early; after that the process received much more.
%% Cause: `open` before `ready`: the answer to the first request, and not the last answers.
-module(old_news).
-export([main/0]).

main() ->
    Main = self(),
    Door = spawn_link(fun() -> door(closed) end),
    spawn_link(fun() -> Door ! ready, Main ! started end),
    Result = ask(Door, open),
    receive started -> ok end,
    [pong = ask(Door, ping) || _ <- lists:seq(1, 20)],
    {ok, opened} = Result.

ask(Door, Request) ->
    Door ! {self(), Request},
    receive {Door, Answer} -> Answer end.

door(State) ->
    receive
        ready -> door(ready);
        {From, open} when State =:= ready -> From ! {self(), {ok, opened}}, door(State);
        {From, open} -> From ! {self(), {error, not_ready}}, door(State);
        {From, ping} -> From ! {self(), pong}, door(State)
    end.
