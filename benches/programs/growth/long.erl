%% One process, which sends itself N messages. Then the run fails, unless it is mended.
-module(long).
-export([main/1]).

-ifdef(FIXED).
finish(_) -> ok.
-else.
finish(Sum) -> exit({sum, Sum}).
-endif.

main([N]) -> finish(run(list_to_integer(N), 0)).

run(0, Sum) -> Sum;
run(N, Sum) ->
    self() ! {add, N},
    receive {add, K} -> run(N - 1, Sum + K) end.
