%% Tables that several processes fix.
-module(fixing).
-export([main/0]).
p(T, X) -> io:format("~p: ~p~n", [T, X]).
sf(T) -> case ets:info(T, safe_fixed) of {{_,_,_}, L} -> lists:sort([C || {_, C} <- L]); X -> X end.
sm(T) -> case ets:info(T, safe_fixed_monotonic_time) of {N, L} when is_integer(N) -> lists:sort([C || {_, C} <- L]); X -> X end.
t(F) -> try F() catch C:E -> {C,E} end.
main() ->
  [one(K) || K <- [set, ordered_set, bag]].
one(K) ->
  T = ets:new(t, [K, public]), ets:insert(T, [{I, a} || I <- lists:seq(1, 5)]),
  p(1, {ets:info(T, fixed), sf(T), sm(T)}),
  Me = self(),
  P = spawn(fun() -> ets:safe_fixtable(T, true), ets:safe_fixtable(T, true), Me ! fixed, receive go -> ok end, ets:safe_fixtable(T, false), Me ! un1, receive go -> ok end, exit(normal) end),
  receive fixed -> ok end,
  p(2, {ets:info(T, fixed), sf(T), sm(T)}),
  ets:delete(T, 3),
  p(3, {t(fun() -> X = ets:next(T, 3), is_integer(X) orelse X end), ets:info(T, size)}),
  ets:safe_fixtable(T, true),
  p(4, {ets:info(T, fixed), sf(T), sm(T)}),
  P ! go, receive un1 -> ok end,
  p(5, {ets:info(T, fixed), sf(T), sm(T)}),
  ets:safe_fixtable(T, false),
  p(6, {ets:info(T, fixed), sf(T), sm(T)}),
  ets:safe_fixtable(T, false),
  p(7, {ets:info(T, fixed), sf(T), sm(T)}),
  M = monitor(process, P), P ! go, receive {'DOWN', M, _, _, _} -> ok end, timer:sleep(5),
  p(8, {ets:info(T, fixed), sf(T), sm(T), t(fun() -> ets:next(T, 3) end)}),
  ets:safe_fixtable(T, true), ets:delete(T, 4), ets:insert(T, {4, b}), ets:delete(T, 4),
  p(9, t(fun() -> X = ets:next(T, 4), is_integer(X) orelse X end)),
  ets:delete(T, 99), p(10, t(fun() -> ets:next(T, 99) end)),
  ets:safe_fixtable(T, false), p(11, t(fun() -> ets:next(T, 4) end)),
  ets:safe_fixtable(T, true), p(12, t(fun() -> ets:next(T, 4) end)), ets:delete_all_objects(T), p(13, t(fun() -> ets:next(T, 1) end)), p(14, {ets:info(T, fixed), ets:info(T, size), ets:first(T)}),
  p(15, ets:safe_fixtable(T, false)),
  p(16, lists:sort([A || {A, _} <- ets:info(T)])),
  p(17, t(fun() -> ets:safe_fixtable(T, foo) end)), p(18, t(fun() -> ets:safe_fixtable(foo, true) end)),
  T2 = ets:new(t, [K, private]), p(19, t(fun() -> {_, R} = spawn_monitor(fun() -> exit(t(fun() -> ets:safe_fixtable(T2, true) end)) end), receive {'DOWN', R, _, _, W} -> W end end)),
  p(20, t(fun() -> {_, R} = spawn_monitor(fun() -> exit({t(fun() -> ets:info(T2, safe_fixed) end), t(fun() -> ets:info(T2, fixed) end)}) end), receive {'DOWN', R, _, _, W} -> W end end)),
  p(21, [t(fun() -> ets:info(foo, X) end) || X <- [safe_fixed, fixed, bar]]).
