%% Process aliases.
-module(aliases).
-export([main/0]).

main() ->
    A = alias(), A ! via_alias, receive via_alias -> io:format("alias~n") end, io:format("~w~n", [unalias(A)]), A ! lost, receive lost -> io:format("wrong~n") after 5 -> io:format("lost~n") end, io:format("~w~n", [unalias(A)]),
    B = alias([reply]), B ! one, receive one -> ok end, B ! two, receive two -> io:format("wrong~n") after 5 -> io:format("once~n") end,
    {P, R} = spawn_monitor(fun() -> receive {Al, X} -> Al ! {reply, X} end end), M = monitor(process, P, [{alias, reply_demonitor}]), P ! {M, 7}, receive {reply, Y} -> io:format("~w~n", [Y]) end, receive {'DOWN', R, _, _, W} -> io:format("~w~n", [W]) end, receive {'DOWN', M, _, _, _} -> io:format("wrong~n") after 5 -> io:format("demonitored~n") end.
