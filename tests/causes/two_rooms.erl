%% A desk notes which device is in which room. A device that reconnects is noted anew; the end of its old connection removes the note of the room,
%% whoever is in it. Both rooms have the same race, and each is enough to fail.
%% Cause: in both rooms the new connection was noted before the 'DOWN' of the old one was handled, which then removed it. Only with the other order in
%% both the run does not fail.
-module(two_rooms).
-export([main/0]).

main() ->
    Me = self(),
    Desk = spawn_link(fun() -> desk(#{}, #{}) end),
    Rooms = [hall, attic],
    [spawn_link(fun() -> reconnect(Desk, Room), Me ! {back, Room} end) || Room <- Rooms],
    [receive {back, Room} -> ok end || Room <- Rooms],
    timer:sleep(5),
    Desk ! {all, Me},
    Noted = receive {all, All} -> All end,
    [maps:is_key(Room, Noted) orelse exit({nobody_in, Room}) || Room <- Rooms],
    ok.

reconnect(Desk, Room) ->
    Old = connection(),
    note(Desk, Room, Old),
    Old ! close,
    note(Desk, Room, connection()).

connection() ->
    spawn(fun() -> receive close -> ok end end).

note(Desk, Room, Connection) ->
    Desk ! {note, Room, Connection, self()},
    receive noted -> ok end.

desk(Noted, Refs) ->
    receive
        {note, Room, Connection, From} ->
            Ref = monitor(process, Connection),
            From ! noted,
            desk(Noted#{Room => Connection}, Refs#{Ref => Room});
        {'DOWN', Ref, process, _, _} ->
            desk(maps:remove(maps:get(Ref, Refs), Noted), Refs);
        {all, From} ->
            From ! {all, Noted},
            desk(Noted, Refs)
    end.
