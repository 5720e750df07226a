%% array.
-module(array_calls).
-export([main/0]).

main() ->
    A = array:from_list([a, b, c]), B = array:set(5, z, A),
    p(array:size(A)), p(array:get(1, A)), p(array:get(9, A)), p(array:to_list(B)), p(array:sparse_to_list(B)), p(array:to_orddict(A)), p(array:size(array:new(5))), p(array:to_list(array:new(3, {default, 0}))), p(array:to_list(array:new([{size, 2}, {default, x}, {fixed, true}]))), p(array:foldl(fun(I, V, Acc) -> [{I, V} | Acc] end, [], A)), p(array:foldr(fun(_, V, Acc) -> [V | Acc] end, [], A)), p(array:to_list(array:map(fun(I, V) -> {I, V} end, A))), p(array:to_list(array:resize(2, A))), p(array:to_list(array:reset(0, A))), p(array:is_fix(A)), p(array:default(A)), p(array:is_array(A)), p(array:is_array(x)), p(array:to_list(array:from_orddict([{0, x}, {2, y}]))), p(array:sparse_size(B)), p(array:sparse_foldl(fun(_, V, N) -> [V | N] end, [], B)),
    p(try array:get(-1, A) catch error:E -> E end), p(try array:set(7, x, array:new(3)) catch error:E1 -> E1 end), p(try array:get(3, array:new(3)) catch error:E2 -> E2 end),
    Big = lists:foldl(fun(I, X) -> array:set(I, I * I, X) end, array:new(), lists:seq(0, 1000)), p(array:get(777, Big)), p(array:size(Big)), p(array:relax(array:fix(A)) =:= A), p(array:new()).

p(X) -> io:format("~w~n", [X]).
