%% Sending, receiving, selective receive, order of the mailbox.
-module(send_receive).
-export([main/0]).

main() ->
    Me = self(),
    P = spawn(fun() -> echo() end),
    P ! {Me, hello},
    receive {P, X} -> io:format("~w~n", [X]) end,
    [Me ! N || N <- [1, 2, 3, a, 4]],
    receive a -> io:format("a first~n") end,
    receive N1 when N1 > 2 -> io:format("~w~n", [N1]) end,
    receive N2 -> io:format("~w~n", [N2]) end,
    receive N3 -> receive N4 -> io:format("~w ~w~n", [N3, N4]) end end,
    receive _ -> io:format("wrong~n") after 0 -> io:format("empty~n") end,
    R = (Me ! value),
    receive V -> io:format("~w ~w~n", [R, V]) end,
    Me ! {tag, 1}, Me ! {tag, 2},
    Tag = 2,
    receive {tag, Tag} -> io:format("second~n") end,
    receive {tag, Z} -> io:format("~w~n", [Z]) end,
    erlang:send(Me, sent), receive sent -> io:format("sent~n") end,
    P ! stop.

echo() ->
    receive
        {From, M} -> From ! {self(), {echo, M}}, echo();
        stop -> ok
    end.
