%% Comprehensions whose value nobody wants leave no frame behind for every element; others do.
-module(unwanted_comprehensions).
-export([main/0]).
main() ->
    [t(F) || F <- [fun() -> [bad(X) || X <- [1,2,3]], ok end, fun() -> _ = [bad(X) || X <- [1,2,3]], ok end,
      fun() -> [bad(X) || X <- [1,2,3]] end, fun() -> [[bad(X) || X <- [Y, 3]] || Y <- [1,2]], ok end, fun() -> [bad(X) || Y <- [1,2], X <- [Y,3], X > 1], ok end,
      fun() -> case x() of 1 -> [bad(X) || X <- [1,2,3]]; _ -> ok end, ok end, fun() -> begin [bad(X) || X <- [1,2,3]] end, ok end,
      fun() -> (catch [bad(X) || X <- [1,2,3]]), [bad(X) || <<X>> <= <<1,2,3>>], ok end,
      fun() -> try [bad(X) || X <- [1,2,3]] of _ -> ok catch throw:_ -> 1 end end, fun() -> [{bad(X), X} || X <- [1,2,3]], ok end,
      fun() -> [X || X <- [1,2,3], bad(X)], ok end, fun() -> [fun() -> bad(X) end || X <- [1,2,3]], bad(3) end,
      fun() -> if true -> [bad(X) || X <- [1,2,3]] end, ok end, fun() -> [[X|bad(X)] || X <- [1,2,3]], ok end,
      fun() -> true andalso [bad(X) || X <- [1,2,3]], ok end, fun() -> [ok, [bad(X) || X <- [1,2,3]]], ok end, fun() -> {ok, [bad(X) || X <- [1,2,3]]}, ok end, 
      fun() -> [io:format("~w~n", [bad(X)]) || X <- [1,2,3]], ok end, fun() -> [bad(X) || {X, _} <- [{1,2},3,{3,3}]], ok end]].
x() -> 1.
bad(3) -> error(three);
bad(X) -> X =/= 7.
t(F) -> try io:format("~p~n", [F()]) catch C:R:S -> io:format("~p:~p ~p~n", [C, R, [{Fn, A, L} || {unwanted_comprehensions, Fn, A, L} <- S]]) end.
