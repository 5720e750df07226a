%% Three philosophers, all of them take the left fork first.
-module(philosophers).
-export([main/0]).
main() ->
    Forks = [spawn_link(fun fork/0) || _ <- [1, 2, 3]],
    [A, B, C] = Forks,
    Refs = [element(2, spawn_monitor(fun() -> take(L), take(R), L ! drop, R ! drop end)) || {L, R} <- [{A, B}, {B, C}, {C, A}]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs].
take(F) -> F ! {take, self()}, receive {F, ok} -> ok end.
fork() -> receive {take, P} -> P ! {self(), ok}, receive drop -> fork() end end.
