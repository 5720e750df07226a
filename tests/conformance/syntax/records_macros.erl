-module(records_macros).
-export([main/0]).
-record(point, {x = 0 :: integer(), y = 0 :: integer()}).
-record(shape, {name, pts = [] :: [#point{}], meta = #{} :: map(), color = {rgb, 0, 0, 0}}).
-record(tree, {l = nil, v, r = nil}).
-define(SQ(X), ((X) * (X))).
-define(LOG(X), io:format("~s:~p ~p~n", [??X, ?LINE, X])).
-ifdef(NOPE). -define(M, a). -else. -define(M, b). -endif.
area(#shape{pts = Ps}) -> abs(lists:sum([X1 * Y2 - X2 * Y1 || {#point{x = X1, y = Y1}, #point{x = X2, y = Y2}} <- lists:zip(Ps, tl(Ps) ++ [hd(Ps)])])) / 2.
ins(V, nil) -> #tree{v = V};
ins(V, #tree{v = W, l = L} = T) when V < W -> T#tree{l = ins(V, L)};
ins(V, #tree{r = R} = T) -> T#tree{r = ins(V, R)}.
walk(nil) -> []; walk(#tree{l = L, v = V, r = R}) -> walk(L) ++ [V] ++ walk(R).
depth(nil) -> 0; depth(#tree{l = L, r = R}) -> 1 + max(depth(L), depth(R)).
main() ->
    S = #shape{name = "sq", pts = [#point{}, #point{x = 2}, #point{x = 2, y = 2}, #point{y = 2}]},
    io:format("~p~n~p~n", [S, area(S)]),
    S2 = S#shape{meta = (S#shape.meta)#{tag => [1]}, pts = [(hd(S#shape.pts))#point{x = 9} | tl(S#shape.pts)]},
    io:format("~p~n", [S2]),
    io:format("~p ~p ~p~n", [#shape.meta, record_info(fields, point), record_info(size, tree)]),
    io:format("~p ~p~n", [is_record(S, shape), is_record({point, 1}, point)]),
    T = lists:foldl(fun ins/2, nil, [5, 2, 8, 1, 9, 3]),
    io:format("~p~n~p ~p~n", [T, walk(T), depth(T)]),
    io:format("~p~n", [catch (id({point, 1, 2, 3}))#point.x]),
    io:format("~p~n", [?SQ(3 + 1)]), ?LOG(1 + 2), io:format("~p ~p ~p ~p~n", [?M, ?MODULE, ?FUNCTION_NAME, ?FUNCTION_ARITY]),
    #point{x = X, _ = _} = id(#point{x = 7, y = 8}), io:format("~p~n", [X]),
    L = [#point{x = A, y = B} || A <- [1, 2], B <- [3, 4], A + B =/= 5],
    io:format("~p~n", [lists:keysort(#point.y, L)]),
    io:format("~p~n", [lists:keyfind(2, #point.x, L)]),
    M = #{a => #{b => #{c => 1}}, "k" => [x], 1.0 => f, {t} => <<>>},
    #{a := #{b := #{c := C}}} = M, io:format("~p ~p~n", [C, M]),
    io:format("~p~n", [M#{a := 0, new => 1}]), io:format("~p~n", [catch M#{zz := 0}]), io:format("~p~n", [catch (id(x))#{a => 1}]),
    io:format("~p~n", [maps:fold(fun(K, V, Acc) -> [{K, V} | Acc] end, [], #{a => 1, b => 2})]),
    io:format("~p~n", [maps:groups_from_list(fun(I) -> I rem 3 end, lists:seq(1, 10))]),
    io:format("~p~n", [maps:filtermap(fun(_, V) when V > 1 -> {true, V * 2}; (_, _) -> false end, #{a => 1, b => 2})]),
    io:format("~p~n", [maps:merge_with(fun(_, A, B) -> A + B end, #{a => 1, b => 2}, #{b => 3, c => 4})]),
    io:format("~p ~p~n", [maps:to_list(maps:map(fun(_, V) -> V + 1 end, #{x => 1})), maps:intersect(#{a => 1, b => 2}, #{b => 9})]),
    io:format("~p~n", [maps:update_with(c, fun(V) -> V + 1 end, 0, #{a => 1})]), io:format("~p~n", [element(1, element(2, catch maps:update_with(c, fun(V) -> V + 1 end, #{a => 1})))]),
    I = maps:iterator(#{a => 1, b => 2}), {K1, V1, I2} = maps:next(I), io:format("~p ~p ~p~n", [K1, V1, maps:next(I2)]),
    io:format("~p~n", [maps:from_keys([a, b], 0)]),
    io:format("~p~n", [lists:foldl(fun(W, Acc) -> maps:update_with(W, fun(N) -> N + 1 end, 1, Acc) end, #{}, [a, b, a])]),
    io:format("~p~n", [if C > 5 -> big; C =:= 1, is_map(M) -> one; true -> other end]),
    io:format("~p~n", [begin Y = 3, case Y of 1 -> a; N when N > 2, N < 5; N =:= 9 -> {b, N}; _ -> c end end]),
    io:format("~p~n", [try id(1) of 1 -> one catch _:_ -> bad after io:format("after~n") end]),
    io:format("~p~n", [catch (id(foo)):bar()]), io:format("~p~n", [catch apply(lists, nofun, [1])]).
id(X) -> X.
