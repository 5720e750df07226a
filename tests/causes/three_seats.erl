%% Three seats are kept in a table. A check frees each seat that it saw free; a guest takes it meanwhile.
%% Cause: for each of the three seats the check read the seat before the guest took it, and then wrote it free over that. Only with the other order for
%% all three the run does not fail.
-module(three_seats).
-export([main/0]).

main() ->
    Me = self(),
    Seats = ets:new(seats, [public]),
    Names = [left, middle, right],
    [ets:insert(Seats, {Name, free}) || Name <- Names],
    [spawn_link(fun() -> check(Seats, Name), Me ! done end) || Name <- Names],
    [spawn_link(fun() -> guest(Seats, Name), Me ! done end) || Name <- Names],
    [receive done -> ok end || _ <- Names ++ Names],
    [taken(Seats, Name) || Name <- Names],
    ok.

guest(Seats, Name) ->
    Me = self(),
    [begin spawn_link(fun() -> Me ! Step end), receive Step -> ok end end || Step <- [walks, looks, sits]],
    ets:insert(Seats, {Name, taken}).

check(Seats, Name) ->
    case ets:lookup(Seats, Name) of
        [{Name, free}] -> timer:sleep(1), ets:insert(Seats, {Name, free});
        [{Name, taken}] -> ok
    end.

taken(Seats, Name) ->
    case ets:lookup(Seats, Name) of
        [{Name, taken}] -> ok;
        [{Name, free}] -> exit({seat_lost, Name})
    end.
