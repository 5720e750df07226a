%% A chat room: members join, say something and leave; the room relays. The log of a member must have no gap.
-module(chat).
-export([main/0]).

main() ->
    Me = self(),
    Room = spawn_link(fun() -> room(#{}, 0) end),
    Names = [ann, bob, cid],
    Members = [spawn_link(fun() -> member(Room, N, Me) end) || N <- Names],
    [M ! go || M <- Members],
    Logs = [receive {log, M, L} -> L end || M <- Members],
    io:format("~p~n", [[length(L) || L <- Logs]]),
    lists:foreach(fun gapless/1, Logs),
    unlink(Room), exit(Room, kill).

gapless([]) -> ok;
gapless([First | _] = Log) ->
    Numbers = [N || {N, _, _} <- Log],
    {First1, _, _} = First,
    case lists:seq(First1, First1 + length(Log) - 1) of
        Numbers -> ok;
        _ -> error({gap, Numbers})
    end.

member(Room, Name, Main) ->
    Room ! {join, Name, self()},
    receive go -> ok end,
    Relay = spawn_link(fun() -> relay(Room) end),
    Relay ! {say, Name, hello},
    Room ! {say, Name, bye},
    Relay ! stop,
    timer:sleep(100),
    Room ! {leave, Name, self()},
    Main ! {log, self(), collect([])}.

collect(Log) ->
    receive
        {msg, N, From, Text} -> collect([{N, From, Text} | Log]);
        left -> lists:sort(Log)
    end.

%% Long texts go through a helper.
relay(Room) ->
    receive
        {say, Name, Text} -> Room ! {numbered, Name, Text, self()}, receive {number, N} -> Room ! {say_as, N, Name, Text} end, relay(Room);
        stop -> ok
    end.

room(Members, N) ->
    receive
        {join, Name, P} -> room(Members#{Name => P}, N);
        {numbered, _, _, Relay} -> Relay ! {number, N + 1}, room(Members, N);
        {say_as, _, Name, Text} -> tell(Members, {msg, N + 1, Name, Text}), room(Members, N + 1);
        {say, Name, Text} -> tell(Members, {msg, N + 1, Name, Text}), room(Members, N + 1);
        {leave, Name, P} -> P ! left, room(maps:remove(Name, Members), N)
    end.

tell(Members, M) -> maps:foreach(fun(_, P) -> P ! M end, Members).
