%% receive ... after in all forms.
-module(after_timeouts).
-export([main/0]).

main() ->
    receive after 0 -> io:format("zero~n") end,
    receive after 5 -> io:format("five~n") end,
    receive never -> no after 1 -> io:format("one~n") end,
    T = 3,
    receive never -> no after T * 2 -> io:format("expr~n") end,
    self() ! x,
    receive x -> io:format("x~n") after infinity -> no end,
    self() ! y,
    receive x -> no after 0 -> io:format("no x~n") end,
    receive y -> io:format("y~n") after 1000 -> no end,
    io:format("~w~n", [try receive after id(-1) -> no end catch C:E -> {C, E} end]),
    io:format("~w~n", [try receive after id(a) -> no end catch C1:E1 -> {C1, E1} end]),
    io:format("~w~n", [try receive after id(1 bsl 33) -> no end catch C2:E2 -> {C2, E2} end]),
    Me = self(),
    spawn(fun() -> receive after 20 -> Me ! late end end),
    R = receive late -> early after 1 -> timeout end,
    io:format("~w~n", [R]),
    receive late -> io:format("late~n") end,
    timer:sleep(1), io:format("slept~n"),
    io:format("~w~n", [timer:sleep(0)]).

id(X) -> X.
