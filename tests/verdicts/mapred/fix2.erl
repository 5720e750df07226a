%% Map and reduce: the reducer knows how many mappers there are, and reports when all have ended.
-module(mapred).
-export([main/0]).

main() ->
    Master = self(),
    Texts = ["a b a", "b b c", "c a c", "a a a"],
    Reducer = spawn_link(fun() -> reducer(length(Texts), #{}, Master) end),
    [spawn_link(fun() -> Reducer ! {partial, count(T)} end) || T <- Texts],
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

count(Text) ->
    lists:foldl(fun(W, M) -> M#{W => maps:get(W, M, 0) + 1} end, #{}, string:split(Text, " ", all)).

reducer(0, Counts, Master) -> Master ! {counts, Counts};
reducer(N, Counts, Master) ->
    receive {partial, M} -> reducer(N - 1, maps:merge_with(fun(_, A, B) -> A + B end, M, Counts), Master) end.
