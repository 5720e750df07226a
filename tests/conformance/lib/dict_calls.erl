%% dict.
-module(dict_calls).
-export([main/0]).

main() ->
    D0 = dict:new(),
    D = lists:foldl(fun({K, V}, A) -> dict:store(K, V, A) end, D0, [{a, 1}, {b, 2}, {c, 3}, {a, 9}]),
    p(lists:sort(dict:to_list(D))), p(dict:fetch(a, D)), p(dict:find(b, D)), p(dict:find(z, D)), p(dict:size(D)), p(dict:is_key(c, D)), p(lists:sort(dict:fetch_keys(D))), p(dict:is_empty(D0)),
    p(lists:sort(dict:to_list(dict:erase(a, D)))), p(dict:fetch(x, dict:append(x, 1, D))), p(dict:fetch(x, dict:append_list(x, [2, 3], dict:append(x, 1, D)))), p(dict:fetch(n, dict:update_counter(n, 5, dict:update_counter(n, 2, D)))),
    p(dict:fetch(a, dict:update(a, fun(V) -> V + 1 end, D))), p(dict:fetch(q, dict:update(q, fun(V) -> V + 1 end, 0, D))), p(lists:sort(dict:to_list(dict:map(fun(K, V) -> {K, V} end, D)))), p(lists:sort(dict:to_list(dict:filter(fun(_, V) -> V < 5 end, D)))), p(dict:fold(fun(_, V, A) -> V + A end, 0, D)),
    p(lists:sort(dict:to_list(dict:merge(fun(_, A, B) -> A + B end, D, dict:from_list([{a, 100}, {z, 1}]))))), p(try dict:fetch(zz, D) catch error:badarg -> badarg end), {V, D2} = dict:take(a, D), p({V, dict:size(D2)}), p(dict:take(zz, D)),
    p(dict:to_list(dict:from_list([{K, K * K} || K <- lists:seq(1, 40)]))).

p(X) -> io:format("~w~n", [X]).
