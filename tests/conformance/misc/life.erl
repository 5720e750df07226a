%% The game of life on a set of cells.
-module(life).
-export([main/0]).

main() -> G = [{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}], lists:foldl(fun(N, C) -> show(N, C), step(C) end, sets:from_list(G), lists:seq(0, 4)).
show(N, C) -> io:format("generation ~w~n", [N]), [io:format("~s~n", [[case sets:is_element({X, Y}, C) of true -> $#; false -> $. end || X <- lists:seq(0, 5)]]) || Y <- lists:seq(0, 5)].
step(C) -> Ns = lists:foldl(fun({X, Y}, D) -> lists:foldl(fun(P, D2) -> dict:update_counter(P, 1, D2) end, D, [{X + A, Y + B} || A <- [-1, 0, 1], B <- [-1, 0, 1], {A, B} =/= {0, 0}]) end, dict:new(), sets:to_list(C)), sets:from_list([P || {P, N} <- dict:to_list(Ns), N =:= 3 orelse N =:= 2 andalso sets:is_element(P, C)]).
