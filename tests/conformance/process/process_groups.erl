%% Workers, a pool and a collector, with results in order of the requests.
-module(process_groups).
-export([main/0]).

main() ->
    Me = self(), Pool = [spawn_link(fun() -> worker(Me) end) || _ <- lists:seq(1, 4)], Jobs = lists:seq(1, 40),
    lists:foldl(fun(J, [W | Ws]) -> W ! {job, J}, Ws ++ [W] end, Pool, Jobs), R = [receive {done, J, V} -> V end || J <- Jobs], [W ! stop || W <- Pool], io:format("~w~n", [R]).
worker(Me) -> receive {job, J} -> Me ! {done, J, J * J}, worker(Me); stop -> ok end.
