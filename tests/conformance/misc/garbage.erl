%% Much garbage and large live data survive collections.
-module(garbage).
-export([main/0]).

main() -> L = churn(300, lists:seq(1, 1000)), io:format("~w ~w~n", [length(L), lists:sum(L)]), io:format("~w~n", [build_tree(15)]), B = lists:foldl(fun(I, A) -> <<A/binary, I:16>> end, <<>>, lists:seq(1, 5000)), io:format("~w ~w~n", [byte_size(B), erlang:crc32(B)]), Ms = [maps:from_list([{K, lists:seq(1, K rem 10)} || K <- lists:seq(1, 50)]) || _ <- lists:seq(1, 50)], io:format("~w~n", [lists:sum([maps:size(M) || M <- Ms])]).
churn(0, L) -> L;
churn(N, L) -> churn(N - 1, lists:reverse(lists:map(fun(X) -> X + 1 end, L))).
build_tree(N) -> size_of(tree(N)).
tree(0) -> leaf;
tree(N) -> {tree(N - 1), N, tree(N - 1)}.
size_of(leaf) -> 1;
size_of({L, _, R}) -> size_of(L) + size_of(R).
