%% node: first@localhost
-module(spawn_fails).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    P = spawn('gone@localhost', lists, last, [[]]),
    io:format("~p ~p~n", [is_pid(P), node(P)]),
    timer:sleep(100),
    L = spawn_link('gone@localhost', lists, last, [[1, a]]),
    receive {'EXIT', L, W} -> io:format("~p~n", [W]) end,
    timer:sleep(100),
    {M, R} = spawn_monitor('gone@localhost', lists, last, [[]]),
    receive {'DOWN', R, process, M, W2} -> io:format("~p~n", [W2]) end,
    timer:sleep(100),
    {B, R2} = spawn_opt('gone@localhost', lists, last, [[]], [monitor, link]),
    receive {'DOWN', R2, process, B, W3} -> io:format("~p~n", [W3]) end,
    receive {'EXIT', B, W4} -> io:format("~p~n", [W4]) end,
    io:format("~p~n", [is_process_alive(P)]),
    timer:sleep(100).
