%% Chat rooms are found in a table. A room that closes is taken out of it by a janitor that hears of it by 'DOWN'.
%% Cause: the room `lobby` had ended, and the table still held its pid, since the janitor had not removed it yet.
-module(rooms).
-export([main/0]).

main() ->
    rooms = ets:new(rooms, [named_table, public]),
    Me = self(),
    Janitor = spawn_link(fun() -> janitor() end),
    [begin R = spawn(fun() -> room([]) end), ets:insert(rooms, {Name, R}), Janitor ! {watch, Name, R} end || Name <- [lobby, garden]],
    spawn_link(fun() -> say(lobby, hello), close(lobby), Me ! closed end),
    spawn_link(fun() -> timer:sleep(1), Me ! {joined, join(lobby)} end),
    receive closed -> ok end,
    receive {joined, ok} -> ok; {joined, Error} -> exit({cannot_join, lobby, Error}) end.

say(Name, Text) -> [{_, R}] = ets:lookup(rooms, Name), R ! {say, Text}.
close(Name) -> [{_, R}] = ets:lookup(rooms, Name), R ! close, timer:sleep(1).

join(Name) ->
    R = case ets:lookup(rooms, Name) of
            [{_, Known}] -> Known;
            [] -> New = spawn(fun() -> room([]) end), ets:insert(rooms, {Name, New}), New
        end,
    M = monitor(process, R),
    R ! {join, self(), M},
    receive
        {M, joined} -> demonitor(M, [flush]), ok;
        {'DOWN', M, _, _, Why} -> {error, Why}
    end.

room(Members) ->
    receive
        {join, P, M} -> P ! {M, joined}, room([P | Members]);
        {say, _} -> room(Members);
        close -> ok
    end.

janitor() ->
    receive
        {watch, Name, R} -> monitor(process, R), put(R, Name), janitor();
        {'DOWN', _, _, R, _} -> timer:sleep(2), ets:delete(rooms, get(R)), janitor()
    end.
