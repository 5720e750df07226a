%% The first of two searchers that finds something is taken; the other is told to stop, which it does with a reason of its own, and unlinked when the shelf
%% has been noted.
%% Cause: the end of the other searcher (told to stop at line 18) reached the search before its unlink of it (line 20).
-module(first_done).
-export([main/0]).

main() ->
    Parent = self(),
    {_, Ref} = spawn_monitor(fun() -> search(Parent) end),
    receive {shelf, Search} -> Search ! noted; {'DOWN', Ref, process, _, Early} -> error({search, Early}) end,
    receive {found, _} -> ok; {'DOWN', Ref, process, _, Why} -> error({search, Why}) end.

search(Parent) ->
    Self = self(),
    [One, Two] = [spawn_link(fun() -> searcher(N, Self) end) || N <- [1, 2]],
    Other = receive {hit, One, _} -> Two; {hit, Two, _} -> One end,
    Parent ! {shelf, self()},
    exit(Other, enough),
    receive noted -> ok end,
    unlink(Other),
    Parent ! {found, Other}.

searcher(N, From) ->
    N =:= 1 andalso (From ! {hit, self(), {shelf, N}}),
    receive stop -> ok end.
