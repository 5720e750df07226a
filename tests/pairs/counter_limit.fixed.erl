%% Two clients take the last ticket.
-module(counter_limit).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server(1) end),
    [spawn(fun() -> client(Main, Server) end) || _ <- [1, 2]],
    Got = [receive {got, G} -> G end || _ <- [1, 2]],
    [no, yes] = lists:sort(Got).

client(Main, Server) ->
    Server ! {left, self()},
    receive {left, N} -> ok end,
    case N > 0 of
        true -> Server ! {take, self()}, receive {took, A} -> Main ! {got, A} end;
        false -> Main ! {got, no}
    end.

server(N) ->
    receive
        {left, From} -> From ! {left, N}, server(N);
        {take, From} when N > 0 -> From ! {took, yes}, server(N - 1);
        {take, From} -> From ! {took, no}, server(N)
    end.
