%% Cinema booking: agents book seats in a public ETS table.
-module(seats).
-export([main/0]).

main() ->
    ets:new(seats, [named_table, public, set]),
    ets:new(sold, [named_table, public, bag]),
    [ets:insert(seats, {{R, N}, free}) || R <- [a, b], N <- lists:seq(1, 3)],
    Wishes = [{anna, [{a, 1}, {a, 2}]},
              {bert, [{b, 1}, {a, 2}]},
              {carl, [{b, 3}, {b, 1}]}],
    Agents = [spawn_monitor(fun() -> agent(Who, Seats) end) || {Who, Seats} <- Wishes],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Agents],
    report().

agent(Who, Seats) ->
    Got = [S || S <- Seats, book(Who, S) =:= ok],
    [print_ticket(Who, S) || S <- Got],
    ok.

book(Who, Seat) ->
    case ets:lookup(seats, Seat) of
        [{Seat, free}] ->
            ok = price_check(Seat),
            case ets:select_replace(seats, [{{Seat, free}, [], [{const, {Seat, {taken, Who}}}]}]) of
                1 -> ok;
                0 -> sold_out
            end;
        [{Seat, {taken, _}}] ->
            sold_out
    end.

price_check({Row, _}) ->
    Price = case Row of a -> 12; b -> 9 end,
    true = Price > 0,
    ok.

print_ticket(Who, Seat) ->
    ets:insert(sold, {Seat, Who}).

report() ->
    Sold = lists:sort(ets:tab2list(sold)),
    [case [W || {S, W} <- Sold, S =:= Seat] of
         [] -> ok;
         [_] -> ok;
         Many -> error({double_booked, Seat, Many})
     end || {Seat, _} <- ets:tab2list(seats)],
    io:format("sold ~p tickets~n", [length(Sold)]).
