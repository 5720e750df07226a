%% Map and reduce: mappers send partial sums to a reducer and "done" to the master, who then asks the reducer.
-module(mapred).
-export([main/0]).

main() ->
    Master = self(),
    Reducer = spawn_link(fun() -> reducer(#{}) end),
    Texts = ["a b a", "b b c", "c a c", "a a a"],
    [spawn_link(fun() -> mapper(T, Reducer, Master) end) || T <- Texts],
    wait(length(Texts)),
    Reducer ! {result, self()},
    receive
        {counts, Counts} ->
            io:format("~p~n", [Counts]),
            finish(Counts)
    end.

finish(Counts) ->
    case lists:sum(maps:values(Counts)) of
        12 -> ok;
        N -> exit({words_missing, 12 - N})
    end.

wait(0) -> ok;
wait(N) -> receive done -> wait(N - 1) end.

mapper(Text, Reducer, Master) ->
    Words = string:split(Text, " ", all),
    lists:foreach(fun(W) -> Reducer ! {word, W, 1} end, Words),
    Master ! done.

reducer(Counts) ->
    receive
        {word, W, N} -> reducer(maps:update_with(W, fun(M) -> M + N end, N, Counts));
        {result, From} -> From ! {counts, Counts}
    end.
