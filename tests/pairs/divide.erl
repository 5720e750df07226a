%% A divisor comes before it is set.
-module(divide).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server(0) end),
    spawn(fun() -> Server ! {set, 2} end),
    spawn(fun() -> Server ! {divide, 10, Main} end),
    receive {result, _} -> ok end.

server(D) ->
    receive
        {set, N} -> server(N);
        {divide, N, From} -> From ! {result, N div D}, server(D)
    end.
