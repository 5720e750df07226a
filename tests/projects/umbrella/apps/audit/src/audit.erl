%% One process counts. Who needs it starts it, if nobody has: two that look at the same time both start one, and one of them fails.
-module(audit).
-export([seen/1, count/0]).

seen(What) -> needed() ! {seen, What}.

count() ->
    needed() ! {count, self()},
    receive {count, N} -> N end.

needed() ->
    case whereis(audit) of
        undefined ->
            Pid = spawn(fun() -> loop(0) end),
            register(audit, Pid),
            Pid;
        Pid -> Pid
    end.

loop(N) ->
    receive
        {seen, _} -> loop(N + 1);
        {count, From} -> From ! {count, N}, loop(N)
    end.
