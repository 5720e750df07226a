%% A server waits for a second message that only comes when it has answered the first.
-module(deadlock_wait).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server(Main) end),
    spawn(fun() -> Server ! {a, self()}, receive ok -> Server ! b end end),
    spawn(fun() -> Server ! hint end),
    receive done -> ok end.

server(Main) ->
    receive
        hint -> server(Main);
        {a, From} -> From ! ok, receive b -> Main ! done end
    end.
