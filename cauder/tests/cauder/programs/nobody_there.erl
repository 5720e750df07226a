%% Sends to names that nobody has, or has any more: the tracer has uids for them, and they raise badarg.
-module(nobody_there).
-export([main/0]).
main() ->
    Server = spawn(fun() -> receive stop -> ok end end),
    register(server, Server),
    Watch = monitor(process, Server),
    server ! stop,
    wait(Watch, Server),
    First = (catch server ! too_late),
    Second = (catch {nowhere, node()} ! hello),
    self() ! done,
    receive done -> ok end,
    spawn(fun() -> server ! again end),
    {is_badarg(First), is_badarg(Second)}.
wait(Watch, Server) ->
    case is_process_alive(Server) of
        true -> wait(Watch, Server);
        false -> ok
    end.
is_badarg({'EXIT', {badarg, _}}) -> true;
is_badarg(_) -> false.
