%% Sorting long lists: stability, random, sorted, reversed, many equal keys.
-module(sort_big).
-export([main/0]).

main() ->
    rand:seed(exsss, {1, 2, 3}), L = [rand:uniform(1000) || _ <- lists:seq(1, 5000)],
    S = lists:sort(L), h(S), h(lists:usort(L)), h(lists:sort(fun(A, B) -> A > B end, L)), h(lists:sort(lists:reverse(S))), h(lists:sort(S)), T = [{X rem 10, X, N} || {X, N} <- lists:zip(L, lists:seq(1, 5000))], h(lists:keysort(1, T)), h(lists:sort(fun(A, B) -> element(1, A) =< element(1, B) end, T)), h(lists:ukeysort(1, T)), h(lists:keysort(2, lists:keysort(1, T))), h(lists:merge(lists:sort(lists:sublist(L, 100)), lists:sort(lists:nthtail(4000, L)))), h(lists:sort([{X, float(X)} || X <- L])), h(lists:sort([if X rem 2 =:= 0 -> X; true -> float(X) end || X <- L])), h(lists:usort([if X rem 3 =:= 0 -> X rem 50; true -> float(X rem 50) end || X <- L])), h(lists:sort([integer_to_list(X) || X <- L])), h(lists:sort([list_to_atom("k" ++ integer_to_list(X)) || X <- L])).
h(L) -> io:format("~w ~w ~w ~w~n", [length(L), hd(L), lists:last(L), erlang:phash2(L)]).
