%% A guest asks for a room's key and waits 20 ms. The desk hands the key out later, to a guest who has left.
%% Cause: the guest stopped waiting (line 17) before the key came (line 26). He passes nothing on: what he does not take is lost.
-module(late_key).
-export([main/0]).

main() ->
    Desk = spawn_link(fun() -> desk(1, none) end),
    Me = self(),
    spawn_link(fun() -> guest(Desk), Me ! left end),
    timer:sleep(20),
    Desk ! free,
    receive left -> ok end,
    Desk ! {keys, self()},
    receive {keys, 1} -> ok; {keys, N} -> exit({missing, 1 - N}) end.

guest(Desk) ->
    Desk ! {key, self()},
    receive {key, K} -> Desk ! {back, K} after 20 -> gone_away end.

desk(Keys, Waits) ->
    receive
        {key, Who} -> desk(Keys, Who);
        {back, _} -> desk(Keys + 1, Waits);
        {keys, Who} -> Who ! {keys, Keys}, desk(Keys, Waits);
        free when Waits =:= none -> desk(Keys, Waits);
        free ->
            Waits ! {key, 7},
            desk(Keys - 1, none)
    end.
