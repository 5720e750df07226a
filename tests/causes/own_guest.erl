%% A host lets its old guest go when the next one comes: it kills it, and unlinks only then.
%% Cause: the end of the old guest (killed at line 26) reached the host before its unlink (line 27).
-module(own_guest).
-export([main/0]).

main() ->
    Main = self(),
    Host = spawn(fun() -> host(none) end),
    Ref = monitor(process, Host),
    Host ! {come, red, Main},
    receive {in, red} -> ok end,
    Host ! {come, blue, Main},
    receive
        {in, blue} -> ok;
        {'DOWN', Ref, process, Host, Why} -> error({no_host, Why})
    end.

host(Old) ->
    receive {come, Name, From} ->
        let_go(Old),
        Guest = spawn_link(fun guest/0),
        From ! {in, Name},
        host(Guest)
    end.
let_go(none) -> ok;
let_go(Old) -> exit(Old, kill),
    unlink(Old).

guest() -> receive leave -> ok end.
