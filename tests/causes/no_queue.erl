%% Rooms have queues. Who leaves a queue is told whether he had stood in it.
%% Cause: for a room without a queue, `leave/3` returns 0 and not false (line 39). Not a race: whatever comes first, `case` has no clause for 0.
-module(no_queue).
-export([main/0]).

main() ->
    Desk = self(),
    Rooms = spawn_link(fun() -> rooms(#{}) end),
    [spawn(fun() -> Rooms ! {stand, Room, self()}, Desk ! {stands, Room} end) || Room <- [red, blue]],
    [receive {stands, Room} -> ok end || Room <- [red, blue]],
    Rooms ! {leave, green, self()},
    Rooms ! {count, self()},
    receive {count, 2} -> ok end.

rooms(Queues) ->
    receive
        {stand, Room, Who} ->
            rooms(Queues#{Room => [Who]});
        {count, Who} ->
            Who ! {count, map_size(Queues)},
            rooms(Queues);
        {leave, Room, Who} ->
            {Left, Stood} = leave(Room, Who, Queues),
            answer(Left, Stood)
    end.

answer(Queues, Stood) ->
    case Stood of
        true -> rooms(Queues);
        false -> rooms(Queues)
    end.

leave(Room, Who, Queues) ->
    case Queues of
        #{Room := Queue} ->
            {Queues#{Room := lists:delete(Who, Queue)}, lists:member(Who, Queue)};
        #{} ->
            %% Nobody stands there.
            {Queues, 0}
    end.
