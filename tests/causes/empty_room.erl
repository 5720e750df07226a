%% A house keeps a list of rooms; a room that is left closes itself, and the house takes it off its list.
%% Cause: main found the room in the list before the house had taken it off (`match_delete`), and the room had closed.
-module(empty_room).
-export([main/0]).

main() ->
    rooms = ets:new(rooms, [named_table, public]),
    Self = self(),
    spawn_link(fun() -> process_flag(trap_exit, true), Self ! ready, house() end),
    receive ready -> ok end,
    Room = room(),
    Room ! leave,
    Next = room(),
    There = monitor(process, Next),
    Next ! {enter, self()},
    receive
        welcome -> ok;
        {'DOWN', There, process, Next, Why} -> exit({no_room, Why})
    end.

room() ->
    case ets:lookup(rooms, room) of
        [{room, Room}] -> Room;
        [] -> spawn_room()
    end.

spawn_room() ->
    House = hd([P || P <- element(2, process_info(self(), links)), is_pid(P)]),
    House ! {open, self()},
    receive {opened, Room} -> Room end.

house() ->
    receive
        {open, Who} ->
            Room = spawn_link(fun inside/0),
            true = ets:insert(rooms, {room, Room}),
            Who ! {opened, Room},
            house();
        {'EXIT', Room, normal} ->
            true = ets:match_delete(rooms, {'_', Room}),
            house();
        {'EXIT', _, _} -> ok
    end.

inside() ->
    receive
        leave -> ok;
        {enter, Who} -> Who ! welcome, inside()
    end.
