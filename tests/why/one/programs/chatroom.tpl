-module(@MOD@).
%% Rooms of a chat, made when the first user joins (after uwiger/gproc #97, erlang/otp #4290).
-export([main/0]).
-define(LOAD, @LOAD@).

main() ->
    General = open_room(general),
    Offtopic = open_room(offtopic),
    chatter(general, alice, ?LOAD),
    Talkers = [spawn_monitor(fun() -> chatter(Room, User, ?LOAD) end)
               || {Room, User} <- [{general, bob}, {offtopic, carol}, {offtopic, dave}]],
    Joiners = [{User, spawn_monitor(fun() -> connection(User, lobby) end)}
               || User <- [erin, frank]],
    Results = [{User, wait_for(Conn)} || {User, Conn} <- Joiners],
    [normal = wait_for(Talker) || Talker <- Talkers],
    chatter(offtopic, alice, ?LOAD),
    io:format("general: ~p lines, offtopic: ~p lines~n", [history(General), history(Offtopic)]),
    case [Failed || {_User, Reason} = Failed <- Results, Reason =/= normal] of
        [] -> ok;
        [{User, Reason} | _] -> exit({join_failed, User, lobby, element(1, Reason)})
    end.

wait_for({Pid, Ref}) ->
    receive {'DOWN', Ref, process, Pid, Reason} -> Reason end.

connection(User, RoomName) ->
    Room = find_or_open(RoomName),
    Room ! {join, User, self()},
    receive
        {welcome, RoomName} -> say(Room, User, "hello")
    end.

find_or_open(Name) ->
    case whereis(Name) of
        undefined -> open_room(Name);
        Room -> Room
    end.

open_room(Name) ->
    Room = spawn(fun() -> room(Name, [], []) end),
    true = register(Name, Room),
    Room.

room(Name, Members, Lines) ->
    receive
        {join, User, Conn} ->
            Conn ! {welcome, Name},
            room(Name, [User | Members], Lines);
        {say, From, User, Text} ->
            From ! {said, self()},
            room(Name, Members, [{User, Text} | Lines]);
        {history, From} ->
            From ! {history, self(), length(Lines)},
            room(Name, Members, Lines)
    end.

say(Room, User, Text) ->
    Room ! {say, self(), User, Text},
    receive {said, Room} -> ok end.

history(Room) ->
    Room ! {history, self()},
    receive {history, Room, N} -> N end.

chatter(_RoomName, _User, 0) ->
    ok;
chatter(RoomName, User, N) ->
    ok = say(whereis(RoomName), User, {line, N}),
    chatter(RoomName, User, N - 1).
