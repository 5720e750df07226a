%% A desk forgets a guest when the companion that has brought them leaves, also if they have come again by themselves: the news of the companion's end may
%% come behind the second arrival. Fixed: the news counts for the arrival that it belongs to only.
-module(asks_more).
-export([main/0, desk/2]).

main() ->
    Desk = spawn(?MODULE, desk, [none, 0]),
    {Companion, Ref} = spawn_monitor(fun() -> ask(Desk, arrive) end),
    receive {'DOWN', Ref, process, Companion, _} -> ok end,
    ask(Desk, arrive),
    timer:sleep(20),
    case ask(Desk, guest) of
        none -> exit(forgotten);
        _ -> ok
    end.

ask(Desk, Question) ->
    Desk ! {Question, self()},
    receive {Desk, Answer} -> Answer end.

desk(By, Asked) ->
    receive
        {arrive, Who} ->
            monitor(process, Who),
            Who ! {self(), welcome},
            desk(Who, Asked + 1);
        {guest, Who} ->
            Who ! {self(), By},
            desk(By, Asked + 1);
        {how_many, Who} ->
            Who ! {self(), Asked},
            desk(By, Asked);
        {'DOWN', _, process, Gone, _} ->
            desk(left(Gone, By), Asked)
    end.

left(By, By) -> none;
left(_, By) -> By.
