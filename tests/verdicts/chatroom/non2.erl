%% A chat: a room, a door-keeper that lets people in, people that talk.
-module(chatroom).
-export([main/0]).

main() ->
    Room = spawn_link(fun() -> room([], []) end),
    Keeper = spawn_link(fun() -> keeper(Room) end),
    Self = self(),
    Ann = spawn_link(fun() -> ann(Keeper, Self) end),
    receive {Ann, joined} -> ok end,
    Bob = spawn_link(fun() -> bob(Keeper, Room) end),
    receive {Ann, heard, Text} -> io:format("ann heard ~s~n", [Text]) end,
    unlink(Bob),
    ok.

%% ann listens for a greeting
ann(Keeper, Boss) ->
    Keeper ! {join, self(), ann},
    Keeper ! {join, self(), ann},
    Boss ! {self(), joined},
    receive
        {said, _Who, Text} -> Boss ! {self(), heard, Text}
    end.

bob(Keeper, Room) ->
    Keeper ! {join, self(), bob},
    Room ! {say, bob, "hello"},
    timer:sleep(10).

keeper(Room) ->
    receive
        {join, Pid, Name} ->
            true = allowed(Name),
            Room ! {enter, Pid, Name},
            keeper(Room)
    end.

allowed(Name) -> lists:member(Name, [ann, bob, eve]).

room(People, Log) ->
    receive
        {enter, Pid, Name} ->
            room([{Pid, Name} | People], Log);
        {say, Who, Text} ->
            [Pid ! {said, Who, Text} || {Pid, Name} <- People, Name =/= Who],
            room(People, [{Who, Text} | Log])
    end.
