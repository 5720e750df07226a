%% Words, frequencies, justification and reversal of a text.
-module(text).
-export([main/0]).

main() -> T = "the quick brown fox jumps over the lazy dog and the quick dog sleeps while the fox runs away over the hills", Ws = string:tokens(T, " "), io:format("~p~n", [lists:sublist(lists:reverse(lists:keysort(2, lists:foldl(fun(W, A) -> orddict:update_counter(W, 1, A) end, [], Ws))), 5)]), [io:format("|~s|~n", [string:left(L, 30)]) || L <- wrap(Ws, 30)], [io:format("|~30s|~n", [L]) || L <- wrap(Ws, 30)], io:format("~s~n", [string:join(lists:reverse(Ws), " ")]), io:format("~s~n", [[string:to_upper(C) || [C | _] <- Ws]]), io:format("~p~n", [lists:usort([length(W) || W <- Ws])]), io:format("~p~n", [[{L, [W || W <- lists:usort(Ws), length(W) =:= L]} || L <- [3, 4, 5]]]).
wrap(Ws, N) -> wrap(Ws, N, [], []).
wrap([], _, [], Acc) -> lists:reverse(Acc);
wrap([], _, L, Acc) -> lists:reverse([join(L) | Acc]);
wrap([W | Ws], N, L, Acc) -> case length(join([W | L])) > N of true when L =/= [] -> wrap([W | Ws], N, [], [join(L) | Acc]); _ -> wrap(Ws, N, [W | L], Acc) end.
join(L) -> string:join(lists:reverse(L), " ").
