%% N processes, one after the other: each sends once and ends. Then the run fails, unless it is mended.
-module(short).
-export([main/1]).

-ifdef(FIXED).
finish(_) -> ok.
-else.
finish(Sum) -> exit({sum, Sum}).
-endif.

main([N]) -> finish(run(list_to_integer(N), 0)).

run(0, Sum) -> Sum;
run(N, Sum) ->
    Main = self(),
    P = spawn(fun() -> Main ! {self(), N} end),
    receive {P, K} -> run(N - 1, Sum + K) end.
