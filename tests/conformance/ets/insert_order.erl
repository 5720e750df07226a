%% The order of the objects of a bag that were inserted together; keys of an ordered_set that are equal but not the same.
-module(insert_order).
-export([main/0]).
p(T, X) -> io:format("~p: ~w~n", [T, X]).
t(T, Ops) -> B = ets:new(b, [bag]), [case O of {new, L} -> ets:insert_new(B, L); {del, X} -> ets:delete_object(B, X); {dk, K} -> ets:delete(B, K); _ -> ets:insert(B, O) end || O <- Ops],
  p(T, {ets:lookup(B, k), ets:lookup(B, j)}).
main() ->
  t(1, [{k,1},{k,2},[{k,3},{k,4},{k,5}]]),
  t(2, [[{k,3},{k,4},{k,5}],{k,1},{k,2}]),
  t(3, [[{k,3},{k,4}],[{k,1},{k,2}]]),
  t(4, [[{k,3}],[{k,1}],[{k,2},{j,1},{k,7},{j,2}]]),
  t(5, [[{k,3},{k,4},{k,3},{k,5}],[{k,4},{k,2}]]),
  t(6, [{new,[{k,3},{k,4},{k,3},{k,5}]},[{k,4},{k,2}]]),
  t(7, [[{k,3},{k,4},{k,3},{k,5}],{del,{k,4}},{k,4},{k,9}]),
  t(8, [[{k,I} || I <- lists:seq(1,10)]]),
  t(9, [[{k,I} || I <- lists:seq(1,10)],{k,11},{k,12}]),
  t(10, [[{k,I} || I <- lists:seq(1,10)],[{k,I} || I <- lists:seq(1,20)]]),
  t(11, [[{J,I} || I <- lists:seq(1,10), J <- [j,k]]]),
  t(12, [[{k,1},{k,2},{k,3}]|[{k,I} || I <- [4,5,6]]]),
  t(13, [{k,1},{dk,k},[{k,2},{k,3}]]),
  t(14, [[{k,1},{k,1.0},{k,1},{k,2},{k,1.0}]]),
  O = ets:new(o, [ordered_set]), ets:insert(O, {1.0, a}), ets:insert(O, {1, b}), ets:insert(O, {2, c}), ets:insert(O, {2.0, d}), ets:insert(O, {{3, x}, e}), ets:insert(O, {{3.0, x}, f}),
  p(20, ets:tab2list(O)), p(21, ets:first(O)), p(22, ets:next(O, 1)), p(23, ets:last(O)), p(24, ets:prev(O, {3, x})), p(25, ets:lookup(O, 2)),
  ets:delete(O, 1), ets:insert(O, {1.0, g}), p(26, ets:first(O)), ets:insert(O, {1, h}), p(27, ets:first(O)), p(28, ets:next(O, 0.5)), p(29, ets:prev(O, 2)),
  p(30, ets:select(O, [{{'$1', '_'}, [], ['$1']}], 2) =/= x), p(31, try ets:match_spec_compile(foo) catch _:_:S -> hd(S) end).
