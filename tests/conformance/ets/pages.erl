%% Searches in pages.
-module(pages).
-export([main/0]).
t(F) -> try F() catch C:E -> {C, E} end.
p(T, X) -> io:format("~p: ~p~n", [T, X]).
main() -> 
  T = ets:new(t, [ordered_set]), ets:insert(T, [{I, I} || I <- lists:seq(1, 6)]),
  p(1, pages(ets:select(T, [{{'$1', '_'}, [], ['$1']}], 2))), p(2, pages(ets:select(T, [{{'$1', '_'}, [], ['$1']}], 6))), p(3, pages(ets:select(T, [{{'$1', '_'}, [], ['$1']}], 7))), p(4, pages(ets:select(T, [{{'$1', '_'}, [{'>', '$1', 9}], ['$1']}], 2))),
  p(5, pages(ets:select(T, [{{'$1', '_'}, [{'<', '$1', 4}], ['$1']}], 2))), p(6, pages(ets:select(T, [{{'$1', '_'}, [{'<', '$1', 4}], ['$1']}], 3))), p(7, pages(ets:match(T, {'$1', 3}, 1))), p(8, pages(ets:select_reverse(T, [{{'$1', '_'}, [], ['$1']}], 4))), p(9, pages(ets:select(T, [{{3, '_'}, [], ['$_']}], 1))), p(10, pages(ets:match_object(T, {'_', '_'}, 5))),
  S = ets:new(s, [set]), ets:insert(S, [{I, I} || I <- lists:seq(1, 6)]),
  p(11, np(ets:select(S, [{{'$1', '_'}, [], ['$1']}], 2))), p(12, np(ets:select(S, [{{'$1', '_'}, [], ['$1']}], 6))), p(13, np(ets:select(S, [{{'$1', '_'}, [], ['$1']}], 7))), p(14, np(ets:select(S, [{{'$1', '_'}, [{'>', '$1', 9}], ['$1']}], 2))), p(15, np(ets:select(S, [{{3, '_'}, [], ['$_']}], 1))), p(16, np(ets:match(S, {'$1', '_'}, 100))), p(17, np(ets:match(S, {3, '$1'}, 100))), p(18, np(ets:match_object(S, {3, '$1'}, 1))),
  B = ets:new(s, [bag]), ets:insert(B, [{K, I} || I <- lists:seq(1, 3), K <- [a, b]]), p(20, np(ets:select(B, [{{'$1', '_'}, [], ['$1']}], 2))), p(21, np(ets:select(B, [{{'$1', '_'}, [], ['$1']}], 1))), p(22, np(ets:select(B, [{{'$1', '_'}, [], ['$1']}], 6))), p(23, np(ets:select(B, [{{a, '_'}, [], ['$_']}], 1))), p(24, np(ets:select(B, [{{a, '_'}, [], ['$_']}], 3))),
  p(25, t(fun() -> ets:select('$end_of_table') end)), p(26, t(fun() -> ets:select(foo) end)).
pages('$end_of_table') -> [eot]; pages({L, C}) when C =:= '$end_of_table' -> [L, eot]; pages({L, C}) -> [L | pages(ets:select(C))].
np('$end_of_table') -> [eot]; np({L, C}) when C =:= '$end_of_table' -> [length(L), eot]; np({L, C}) -> [length(L) | np(ets:select(C))].
