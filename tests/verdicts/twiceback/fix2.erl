%% A resource comes back by the call of its owner and by the owner's end: it is in the pool twice.
-module(twiceback).
-export([main/0]).

main() ->
    Pool = spawn_link(fun() -> pool([r1], #{}) end),
    Self = self(),
    spawn_link(fun() -> user(Pool, Self) end),
    receive returned -> ok end,
    Users = [spawn_link(fun() -> Self ! {self(), take(Pool)}, receive over -> ok end end) || _ <- [1, 2]],
    Got = [receive {U, R} -> R end || U <- Users],
    [U ! over || U <- Users],
    case Got of
        [r1, r1] -> exit({twice, r1});
        _ -> io:format("one at a time~n")
    end.

user(Pool, Parent) ->
    r1 = take(Pool),
    Pool ! {back, r1},
    Parent ! returned.

take(Pool) ->
    Ref = make_ref(),
    Pool ! {take, self(), Ref},
    receive {Ref, R} -> R end.

pool(Free, Lent) ->
    receive
        {take, From, Ref} when Free =:= [] -> From ! {Ref, empty}, pool(Free, Lent);
        {take, From, Ref} ->
            Watch = monitor(process, From),
            From ! {Ref, hd(Free)},
            pool(tl(Free), Lent#{Watch => hd(Free)});
        {back, _} -> pool(Free, Lent);
        {'DOWN', Watch, _, _, _} ->
            R = maps:get(Watch, Lent),
            case lists:member(R, Free) of
                true -> pool(Free, maps:remove(Watch, Lent));
                false -> pool([R | Free], maps:remove(Watch, Lent))
            end
    end.
