%% A process fails on a key that it does not have; later, its parent looks whether it lives.
%% Cause: the message {leave, b} came to a process whose map has no b; that the parent looked is an effect.
-module(looked_later).
-export([main/0]).

main() ->
    Room = spawn(fun() -> room(#{a => 1}) end),
    Room ! {leave, b},
    timer:sleep(5),
    case is_process_alive(Room) of
        true -> ok;
        false -> exit(room_is_gone)
    end.

room(Seats) ->
    receive
        {leave, Guest} -> maps:get(Guest, Seats)
    end.
