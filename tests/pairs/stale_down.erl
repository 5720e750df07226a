%% A server gives its one thing to one owner at a time. A table says whether it is free; only then is the server asked.
%% The monitor of a past owner is not taken back.
-module(stale_down).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() ->
        slot = ets:new(slot, [named_table, public]),
        ets:insert(slot, {taken, 0}),
        Main ! ready,
        server(none)
    end),
    receive ready -> ok end,
    spawn(fun() ->
        ok = take(Server),
        Server ! give,
        Main ! given
    end),
    receive given -> ok end,
    take_soon(Server),
    busy = take(Server),
    receive after 10 -> ok end,
    busy = take(Server),
    Ref = monitor(process, Server),
    exit(Server, kill),
    receive {'DOWN', Ref, process, _, _} -> ok end.

take_soon(Server) ->
    case take(Server) of
        ok -> ok;
        busy -> receive after 5 -> ok end, take_soon(Server)
    end.

take(Server) ->
    case ets:update_counter(slot, taken, 1) of
        1 ->
            Ref = make_ref(),
            Server ! {take, self(), Ref},
            receive {Ref, Answer} -> Answer end;
        _ -> busy
    end.

server(Mon) ->
    receive
        {take, From, Ref} when Mon =:= none ->
            Now = monitor(process, From),
            From ! {Ref, ok},
            server(Now);
        {take, From, Ref} ->
            From ! {Ref, busy},
            server(Mon);
        give ->
            ets:insert(slot, {taken, 0}),
            server(none);
        {'DOWN', _, process, _, _} when Mon =:= none -> server(none);
        {'DOWN', _, process, _, _} ->
            ets:insert(slot, {taken, 0}),
            server(none)
    end.
