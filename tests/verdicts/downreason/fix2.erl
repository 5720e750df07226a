%% A worker may be over before it is monitored: then the reason is noproc, whatever it came to.
-module(downreason).
-export([main/0]).

main() ->
    Table = ets:new(results, [public]),
    Workers = [spawn_monitor(fun() -> ets:insert(Table, {N, N * N}) end) || N <- lists:seq(1, 3)],
    timer:sleep(0),
    [wait(W) || W <- Workers],
    3 = ets:info(Table, size),
    io:format("all there~n").

wait({Worker, Ref}) ->
    receive
        {'DOWN', Ref, process, Worker, normal} -> ok;
        {'DOWN', Ref, process, Worker, Other} -> exit({worker_failed, Other})
    end.
