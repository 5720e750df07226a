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
    groups ! {alarm, sirens, What},
    ok.

groups(Gs) ->
    receive
        {join, G, Pid} ->
            {Pids, Alarms} = maps:get(G, Gs, {[], []}),
            [Pid ! {alarm, A} || A <- Alarms],
            groups(Gs#{G => {[Pid | Pids], Alarms}});
        {alarm, G, What} ->
            {Pids, Alarms} = maps:get(G, Gs, {[], []}),
            [P ! {alarm, What} || P <- Pids],
            groups(Gs#{G => {Pids, [What | Alarms]}})
    end.
