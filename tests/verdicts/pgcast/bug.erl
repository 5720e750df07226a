%% An alarm is sent to all members of a group; members join when they are ready.
%% The control room arms the system when everybody has said hello.
-module(pgcast).
-export([main/0]).

main() ->
    register(groups, spawn_link(fun() -> groups(#{}) end)),
    Self = self(),
    Sirens = [spawn_link(fun() -> siren(Self, N) end) || N <- [1, 2, 3]],
    [receive {hello, S} -> ok end || S <- Sirens],
    alarm(fire),
    Heard = collect(Sirens, []),
    case lists:sort(Heard) of
        [1, 2, 3] -> io:format("all sirens~n");
        Some -> error({silent, [1, 2, 3] -- Some})
    end.

collect([], Acc) -> Acc;
collect([_ | T], Acc) ->
    receive {howling, N} -> collect(T, [N | Acc])
    after 100 -> collect(T, Acc)
    end.

siren(Room, N) ->
    Room ! {hello, self()},
    groups ! {join, sirens, self()},
    receive
        {alarm, fire} -> Room ! {howling, N}
    end.

alarm(What) ->
    groups ! {members, sirens, self()},
    receive
        {members, Pids} -> [P ! {alarm, What} || P <- Pids]
    end.

groups(Gs) ->
    receive
        {join, G, Pid} ->
            groups(Gs#{G => [Pid | maps:get(G, Gs, [])]});
        {members, G, From} ->
            From ! {members, maps:get(G, Gs, [])},
            groups(Gs)
    end.
