%% A host lets its old guest go when the next one comes: it kills it, has that noted, and unlinks only then.
%% Cause: the end of the old guest (killed at line 28) reached the host before its unlink (line 30).
-module(own_guest).
-export([main/0]).

main() ->
    Main = self(),
    Book = spawn(fun book/0),
    Host = spawn(fun() -> host(none, Book) end),
    Ref = monitor(process, Host),
    Host ! {come, red, Main},
    receive {in, red} -> ok end,
    Host ! {come, blue, Main},
    receive
        {in, blue} -> ok;
        {'DOWN', Ref, process, Host, Why} -> error({no_host, Why})
    end.

host(Old, Book) ->
    receive {come, Name, From} ->
        let_go(Old, Book),
        Guest = spawn_link(fun guest/0),
        From ! {in, Name},
        host(Guest, Book)
    end.
let_go(none, _) -> ok;
let_go(Old, Book) ->
    exit(Old, kill),
    Book ! {left, Old, self()}, receive noted -> ok end,
    unlink(Old).

guest() -> receive leave -> ok end.

book() -> receive {left, _, From} -> From ! noted end, book().
