-module(sudoku).
-export([main/0]).
main() ->
    P = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    case solve(parse(P)) of {ok, G} -> show(G); none -> io:put_chars("none\n") end,
    io:format("~p~n", [solve(parse("55" ++ lists:duplicate(79, $.)))]).
parse(S) -> maps:from_list(lists:zip([{R, C} || R <- lists:seq(0, 8), C <- lists:seq(0, 8)], [if X =:= $. -> lists:seq(1, 9); true -> [X - $0] end || X <- S])).
peers({R, C}) -> lists:usort([{R, X} || X <- lists:seq(0, 8)] ++ [{X, C} || X <- lists:seq(0, 8)] ++ [{R div 3 * 3 + A, C div 3 * 3 + B} || A <- [0, 1, 2], B <- [0, 1, 2]]) -- [{R, C}].
solve(G0) ->
    try prop(G0) of
        G -> case lists:sort([{length(V), K} || {K, V} <- maps:to_list(G), length(V) > 1]) of
                 [] -> {ok, G};
                 [{_, K} | _] -> try_all(K, maps:get(K, G), G)
             end
    catch throw:conflict -> none end.
try_all(_, [], _) -> none;
try_all(K, [V | Vs], G) -> case solve(G#{K := [V]}) of none -> try_all(K, Vs, G); R -> R end.
prop(G) ->
    G1 = maps:map(fun(K, [_] = V) -> case [P || P <- peers(K), maps:get(P, G) =:= V] of [] -> V; _ -> throw(conflict) end;
                     (K, V) -> case V -- [X || P <- peers(K), [X] <- [maps:get(P, G)]] of [] -> throw(conflict); W -> W end end, G),
    if G1 =:= G -> G; true -> prop(G1) end.
show(G) -> [io:format("~s~n", [[integer_to_list(hd(maps:get({R, C}, G))) || C <- lists:seq(0, 8)]]) || R <- lists:seq(0, 8)].
