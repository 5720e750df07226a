%% A lock is given as a lease of 20 ms. A holder that is slower than that still believes that it holds the lock.
%% Cause: the lease of a ran out while a was still working, so the lock was granted to b as well.
-module(lease).
-export([main/0]).

main() ->
    Lock = spawn_link(fun() -> free() end),
    File = spawn_link(fun() -> file([]) end),
    Me = self(),
    [spawn_link(fun() -> user(Lock, File, Name, Ms), Me ! {done, Name} end) || {Name, Ms} <- [{a, 35}, {b, 5}, {c, 2}]],
    [receive {done, N} -> ok end || N <- [a, b, c]],
    File ! {overlaps, self()},
    receive {overlaps, []} -> ok; {overlaps, Names} -> exit({wrote_at_the_same_time, Names}) end.

user(Lock, File, Name, Ms) ->
    timer:sleep(case Name of a -> 0; b -> 3; c -> 4 end),
    Lock ! {acquire, Name, self()},
    receive granted -> ok end,
    File ! {open, Name},
    timer:sleep(Ms),
    File ! {close, Name},
    Lock ! {release, Name}.

free() ->
    receive
        {acquire, Name, Pid} -> Pid ! granted, held(Name);
        {release, _} -> free()
    end.

held(Name) ->
    receive
        {release, Name} -> free()
    after 20 -> free()
    end.

file(Open) -> file(Open, []).
file(Open, Overlaps) ->
    receive
        {open, Name} when Open =/= [] -> file([Name | Open], [{Name, Open} | Overlaps]);
        {open, Name} -> file([Name], Overlaps);
        {close, Name} -> file(Open -- [Name], Overlaps);
        {overlaps, From} -> From ! {overlaps, Overlaps}, file(Open, Overlaps)
    end.
