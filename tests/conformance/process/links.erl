%% Links, exit signals, trap_exit.
-module(links).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P1 = spawn_link(fun() -> ok end), w(P1),
    P2 = spawn_link(fun() -> exit(reason) end), w(P2),
    P3 = spawn_link(fun() -> exit({a, b}) end), w(P3),
    P4 = spawn_link(fun() -> receive stop -> ok end end), exit(P4, kill), w(P4),
    P5 = spawn_link(fun() -> receive stop -> ok end end), exit(P5, shutdown), w(P5),
    P6 = spawn_link(fun() -> receive stop -> ok end end), exit(P6, normal), P6 ! stop, w(P6),
    P7 = spawn_link(fun() -> throw(ball) end), receive {'EXIT', P7, {{nocatch, ball}, [_ | _]}} -> io:format("nocatch~n") end,
    P8 = spawn_link(fun() -> error(oops) end), receive {'EXIT', P8, {oops, [{M, _, 0, _} | _]}} -> io:format("error in ~w~n", [M]) end,
    P9 = spawn_link(fun() -> process_flag(trap_exit, true), receive {'EXIT', _, X} -> exit({trapped, X}) end end), timer:sleep(5), exit(P9, hello), w(P9),
    P10 = spawn(fun() -> receive stop -> ok end end), link(P10), unlink(P10), P10 ! stop, receive {'EXIT', P10, _} -> io:format("wrong~n") after 5 -> io:format("unlinked~n") end,
    P11 = spawn(fun() -> ok end), timer:sleep(5), io:format("~w~n", [try link(P11) catch error:E -> E end]), receive {'EXIT', P11, R11} -> io:format("~w~n", [R11]) after 5 -> io:format("none~n") end,
    P12 = spawn_link(fun() -> Q = spawn_link(fun() -> exit(inner) end), receive after infinity -> Q end end), w(P12),
    exit(self(), normal), receive {'EXIT', S, normal} when S =:= self() -> io:format("self normal~n") end,
    exit(self(), other), receive {'EXIT', _, other} -> io:format("self other~n") end,
    io:format("~w~n", [process_flag(trap_exit, false)]),
    io:format("~w~n", [element(2, process_info(self(), links))]).

w(P) -> receive {'EXIT', P, R} -> io:format("~w~n", [R]) after 1000 -> io:format("nothing~n") end.
