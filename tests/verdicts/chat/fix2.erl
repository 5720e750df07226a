%% A chat room; only the room numbers, long texts take no way of their own.
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

gapless(Log) ->
    Numbers = [N || {N, _, _} <- Log],
    case Numbers =:= [] orelse lists:seq(hd(Numbers), hd(Numbers) + length(Log) - 1) =:= Numbers of
        true -> ok;
        false -> error({gap, Numbers})
    end.

member(Room, Name, Main) ->
    Room ! {join, Name, self()},
    receive go -> ok end,
    [Room ! {say, Name, T} || T <- [hello, bye]],
    timer:sleep(100),
    Room ! {leave, Name, self()},
    Main ! {log, self(), collect([])}.

collect(Log) ->
    receive
        {msg, N, From, Text} -> collect([{N, From, Text} | Log]);
        left -> lists:reverse(Log)
    end.

room(Members, N) ->
    receive
        {join, Name, P} -> room(Members#{Name => P}, N);
        {say, Name, Text} ->
            [P ! {msg, N + 1, Name, Text} || P <- maps:values(Members)],
            room(Members, N + 1);
        {leave, Name, P} -> P ! left, room(maps:remove(Name, Members), N)
    end.
