%% A server crashes on a message that it does not know.
-module(unexpected_message).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server(Main) end),
    spawn(fun() -> Server ! {put, 1} end),
    spawn(fun() -> Server ! hello end),
    receive {got, 1} -> ok end.

server(Main) ->
    receive
        {put, N} -> Main ! {got, N};
        Other -> error({unexpected, Other})
    end.
