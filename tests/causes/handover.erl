%% A reader moves from one desk to another. The old desk sends him the letters that it kept; new letters go to the new desk at once.
%% Cause: the post office's letters (line 39) came before those that the old desk had kept (line 29). No single letter is to blame.
-module(handover).
-export([main/0]).

main() ->
    Me = self(),
    Old = spawn_link(fun() -> old_desk([]) end),
    Post = spawn_link(fun() -> post(Old) end),
    [Post ! {letter, N} || N <- [1, 2, 3]],
    Post ! {sync, self()},
    receive synced -> ok end,
    New = spawn_link(fun() -> new_desk(Me, [], 6) end),
    Post ! {move, New, self()},
    receive moved -> ok end,
    [Post ! {letter, N} || N <- [4, 5, 6]],
    receive {read, Letters} -> check(Letters) end.

check(Letters) ->
    case lists:sort(Letters) of
        Letters -> ok;
        _ -> exit(out_of_order)
    end.

old_desk(Kept) ->
    receive
        {letter, N} -> old_desk([N | Kept]);
        {move, New} ->
            [New ! {kept, N} || N <- lists:reverse(Kept)]
    end.

new_desk(Me, Read, 0) -> Me ! {read, lists:reverse(Read)};
new_desk(Me, Read, Left) ->
    receive {_, N} when is_integer(N) -> new_desk(Me, [N | Read], Left - 1) end.

post(Desk) ->
    receive
        {letter, N} ->
            Desk ! {letter, N},
            post(Desk);
        {sync, Who} -> Who ! synced, post(Desk);
        {move, New, Who} ->
            Desk ! {move, New},
            Who ! moved,
            post(New)
    end.
