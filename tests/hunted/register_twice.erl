%% Three processes want one name, each for a short time. It fails if all of them find it taken by another one or are the first: two at once.
-module(register_twice).
-export([main/0]).
main() ->
    Refs = [element(2, spawn_monitor(fun() -> register(it, self()), unregister(it) end)) || _ <- [1, 2, 3]],
    [receive {'DOWN', Ref, process, _, normal} -> ok end || Ref <- Refs].
