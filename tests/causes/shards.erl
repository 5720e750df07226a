%% A query goes to four shards, each in a process of its own. A watchdog kills whoever takes too much memory.
%% Cause: the watchdog killed the process of shard 3 before it sent its part.
-module(shards).
-export([main/0]).

main() ->
    Me = self(),
    Watchdog = spawn(fun() -> watchdog([]) end),
    Workers = [begin
                   P = spawn(fun() -> shard(Me, N) end),
                   Watchdog ! {watch, P, N},
                   P
               end || N <- [1, 2, 3, 4]],
    [P ! go || P <- Workers],
    Parts = [receive {part, N, Sum} -> Sum after 2000 -> exit({no_answer_from_shard, N}) end || N <- [1, 2, 3, 4]],
    io:format("~p~n", [lists:sum(Parts)]).

shard(Parent, N) ->
    receive go -> ok end,
    Rows = lists:seq(1, N * 10),
    timer:sleep(N * N),
    Parent ! {part, N, lists:sum(Rows)}.

watchdog(Watched) ->
    receive
        {watch, P, N} -> watchdog([{P, N} | Watched])
    after 7 ->
        [exit(P, kill) || {P, N} <- Watched, N * 10 > 25, N < 4],
        receive stop -> ok end
    end.
