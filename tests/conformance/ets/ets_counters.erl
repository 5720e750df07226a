%% ets: update_counter, update_element.
-module(ets_counters).
-export([main/0]).

main() ->
    T = ets:new(c, []), ets:insert(T, [{a, 1, 10}, {b, 2, 20}]),
    p(ets:update_counter(T, a, 1)), p(ets:update_counter(T, a, {3, 5})), p(ets:update_counter(T, a, [{2, 1}, {3, -1}])), p(ets:update_counter(T, a, {2, 5, 6, 0})), p(ets:update_counter(T, n, 1, {n, 0})), p(ets:update_element(T, b, {2, x})), p(ets:update_element(T, b, [{2, y}, {3, z}])), p(ets:update_element(T, zz, {2, x})), p(lists:sort(ets:tab2list(T))),
    [p(try F() catch error:E -> E end) || F <- [fun() -> ets:update_counter(T, zz, 1) end, fun() -> ets:update_counter(T, b, 1) end, fun() -> ets:update_counter(T, a, {1, 1}) end, fun() -> ets:lookup_element(T, zz, 2) end, fun() -> ets:lookup_element(T, a, 9) end]].
p(X) -> io:format("~w~n", [X]).
