%% A client looks a server up by name while its supervisor restarts it. The fix: the client asks again when nobody has the name.
-module(supervisor_restart).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Me = self(),
    start(),
    spawn(fun() -> server ! crash, Me ! sent end),
    spawn(fun() -> Me ! {client, ask()} end),
    receive {'EXIT', _, shutdown} -> start() end,
    receive {client, pong} -> ok; {client, Other} -> error({no_answer, Other}) end,
    receive sent -> ok end,
    server ! stop.

start() ->
    Me = self(),
    spawn_link(fun() -> register(server, self()), Me ! up, loop() end),
    receive up -> ok end.

ask() ->
    case whereis(server) of
        undefined -> nobody;
        Pid ->
            Ref = monitor(process, Pid),
            Pid ! {ping, self()},
            receive pong -> pong; {'DOWN', Ref, _, _, _} -> gone end
    end.

loop() ->
    receive
        {ping, From} -> From ! pong, loop();
        crash -> exit(shutdown);
        stop -> ok
    end.
