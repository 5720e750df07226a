%% lists: sorting, merging, keys.
-module(lists_sort).
-export([main/0]).

main() ->
    p(lists:sort([3, 1, 2])), p(lists:sort([b, 1, "s", {x}, 2.0, [], 1.0, #{}, <<"b">>, a])), p(lists:sort(fun(A, B) -> A >= B end, [1, 3, 2, 3])), p(lists:usort([3, 1, 2, 1, 3])), p(lists:usort([1, 1.0, 1])), p(lists:usort(fun(A, B) -> A >= B end, [1, 2, 2])),
    p(lists:sort([1, 1.0, 1, 1.0])), p(lists:sort([1.0, 1, 1.0, 1])), p(lists:sort([])), p(lists:sort([x])), p(lists:sort([2, 1])), p(lists:sort([3, 2, 1, 3, 2, 1])),
    p(lists:keysort(1, [{b, 1}, {a, 2}, {b, 0}])), p(lists:keysort(2, [{b, 1}, {a, 2}, {b, 0}])), p(lists:ukeysort(1, [{b, 1}, {a, 2}, {b, 0}])),
    p(lists:merge([1, 3], [2, 4])), p(lists:merge([[1], [3], [2]])), p(lists:merge(fun(A, B) -> A > B end, [3, 1], [2])), p(lists:merge3([1], [2], [3])), p(lists:umerge([1, 2], [2, 3])), p(lists:umerge([[1, 2], [2], [1]])), p(lists:keymerge(1, [{1, a}], [{1, b}, {2, c}])), p(lists:ukeymerge(1, [{1, a}], [{1, b}, {2, c}])),
    L = [{a, 1}, {b, 2}, {c, 3}, {a, 4}, notuple],
    p(lists:keyfind(b, 1, L)), p(lists:keyfind(z, 1, L)), p(lists:keysearch(b, 1, L)), p(lists:keymember(3, 2, L)), p(lists:keydelete(a, 1, L)), p(lists:keyreplace(a, 1, L, {a, new})), p(lists:keystore(d, 1, L, {d, 5})), p(lists:keystore(b, 1, L, {b, 9})),
    p(lists:keytake(b, 1, L)), p(lists:keytake(z, 1, L)), p(lists:keymap(fun(X) -> X * 2 end, 2, [{a, 1}, {b, 2}])), p(lists:keyfind(1.0, 2, L)), p(lists:keyfind(1, 2, [{x}, {y, 1.0}])),
    R = [(I * 7919) rem 1009 || I <- lists:seq(1, 1000)],
    S = lists:sort(R), p(length(S)), p(hd(S)), p(lists:last(S)), p(is_sorted(S)), p(length(lists:usort(R))),
    p(lists:sort(fun({A, _}, {B, _}) -> A =< B end, [{2, a}, {1, b}, {2, c}, {1, d}])),
    p(lists:reverse(lists:keysort(1, [{X rem 3, X} || X <- lists:seq(1, 9)]))).

is_sorted([A, B | T]) -> A =< B andalso is_sorted([B | T]);
is_sorted(_) -> true.

p(X) -> io:format("~w~n", [X]).
