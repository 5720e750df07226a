%% A client that gives up a slow answer and asks again takes the late answer for the next one.
-module(noref).
-export([main/0]).

main() ->
    Server = spawn_link(fun() -> serve() end),
    First = ask(Server, {square, 3, 12}, 10),
    Second = ask(Server, {square, 5, 4}, 100),
    io:format("~w ~w~n", [First, Second]),
    25 = Second.

ask(Server, Question, Time) ->
    Server ! {self(), Question},
    receive
        {answer, Question, Answer} -> Answer
    after Time -> none
    end.

serve() ->
    receive
        {From, {square, N, Work}} ->
            timer:sleep(Work),
            From ! {answer, {square, N, Work}, N * N},
            serve()
    end.
