-module(server).
-export([main/0]).
main() ->
    Server = spawn(fun() -> server(#{total => 0}) end),
    Server ! {add, 4},
    spawn(fun() -> Server ! {add, 2} end),
    Server ! {divide, self()},
    receive {result, R} -> R end.

server(State = #{total := Total}) ->
    receive
        {add, N} ->
            server(State#{total := Total + N});
        {divide, From} ->
            Left = Total - 4,
            From ! {result, 12 div Left},
            server(State)
    end.
