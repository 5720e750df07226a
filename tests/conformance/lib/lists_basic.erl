%% lists: the everyday functions.
-module(lists_basic).
-export([main/0]).

main() ->
    p(lists:append([[1], [2, 3], []])), p(lists:append([1], [2])), p(lists:all(fun is_atom/1, [a, b])), p(lists:any(fun is_atom/1, [1, b])),
    p(lists:concat([doc, '/', file, '.', 3])), p(lists:concat(["a", 1, b, 2.5])), p(lists:delete(2, [1, 2, 3, 2])), p(lists:droplast([1, 2, 3])), p(lists:dropwhile(fun(X) -> X < 3 end, [1, 2, 3, 1])),
    p(lists:duplicate(3, x)), p(lists:filter(fun(X) -> X rem 2 =:= 0 end, [1, 2, 3, 4])), p(lists:filtermap(fun(X) -> case X of 1 -> true; 2 -> {true, two}; _ -> false end end, [1, 2, 3])),
    p(lists:flatlength([1, [2, [3]]])), p(lists:flatmap(fun(X) -> [X, X] end, [a, b])), p(lists:flatten([1, [2, [3, []]], [[[4]]]])), p(lists:flatten([1, [2]], [t])),
    p(lists:foldl(fun(X, A) -> [X | A] end, [], [1, 2, 3])), p(lists:foldr(fun(X, A) -> [X | A] end, [], [1, 2, 3])), p(lists:foreach(fun(X) -> io:format("~w,", [X]) end, [1, 2])),
    p(lists:join(x, [a, b, c])), p(lists:last([1, 2, 3])), p(lists:map(fun(X) -> X + 1 end, [1, 2])), p(lists:mapfoldl(fun(X, S) -> {X * 2, S + X} end, 0, [1, 2, 3])), p(lists:mapfoldr(fun(X, S) -> {{X, S}, S + X} end, 0, [1, 2, 3])),
    p(lists:max([1, 5, 3])), p(lists:min([a, 1, "x"])), p(lists:member(3, [1, 2, 3])), p(lists:member(3.0, [1, 2, 3])), p(lists:nth(2, [a, b, c])), p(lists:nthtail(2, [a, b, c])),
    p(lists:partition(fun(X) -> X > 2 end, [1, 2, 3, 4])), p(lists:prefix("ab", "abc")), p(lists:suffix("bc", "abc")), p(lists:reverse([1, 2, 3])), p(lists:reverse([1, 2], [3])),
    p(lists:seq(1, 5)), p(lists:seq(1, 10, 3)), p(lists:seq(5, 1, -2)), p(lists:seq(1, 0)), p(lists:split(2, [a, b, c])), p(lists:splitwith(fun is_atom/1, [a, b, 1, c])),
    p(lists:sublist([1, 2, 3, 4], 2)), p(lists:sublist([1, 2, 3, 4], 2, 2)), p(lists:sublist([1, 2], 5)), p(lists:subtract([1, 2, 3, 2], [2])), p(lists:sum([1, 2.5])), p(lists:takewhile(fun(X) -> X < 3 end, [1, 2, 3, 1])),
    p(lists:unzip([{1, a}, {2, b}])), p(lists:unzip3([{1, a, x}, {2, b, y}])), p(lists:zip([1, 2], [a, b])), p(lists:zip3([1], [a], [x])), p(lists:zipwith(fun(X, Y) -> X + Y end, [1, 2], [3, 4])), p(lists:zipwith3(fun(X, Y, Z) -> X + Y + Z end, [1], [2], [3])),
    p(lists:search(fun(X) -> X > 1 end, [1, 2, 3])), p(lists:search(fun(X) -> X > 9 end, [1])), p(lists:enumerate([a, b])), p(lists:enumerate(5, [a, b])), p(lists:uniq([1, 2, 1, 3, 2])), p(lists:uniq(fun({X, _}) -> X end, [{a, 1}, {a, 2}, {b, 3}])).

p(X) -> io:format("~w~n", [X]).
