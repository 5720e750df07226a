%% A 'DOWN' message is taken for an answer.
-module(monitor_ignored).
-export([main/0]).

main() ->
    {P, _} = spawn_monitor(fun() -> exit(normal) end),
    Q = self(),
    spawn(fun() -> Q ! {answer, 1} end),
    X = receive {answer, _} = M -> M end,
    {answer, 1} = X,
    is_pid(P).
