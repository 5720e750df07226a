%% Takes the end of any linked process for that of the connection. In the failing run the connection had not sent anything yet.
%% Cause: main takes the 'EXIT' of the first process before {connected, _}.
-module(any_exit).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Me = self(),
    spawn_link(fun() -> ok end),
    Conn = spawn_link(fun() -> Me ! {connected, self()}, receive close -> ok end end),
    receive
        {connected, Conn} -> Conn ! close;
        {'EXIT', _Any, Reason} -> exit({not_connected, Reason})
    end.
