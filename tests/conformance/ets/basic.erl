%% ets: tables, inserts, lookups, deletes by type.
-module(basic).
-export([main/0]).

main() ->
    [begin
         T = ets:new(t, [Type]), io:format("~w~n", [Type]),
         p(ets:insert(T, {b, 1})), p(ets:insert(T, [{a, 2}, {c, 3}, {b, 4}, {b, 4}])), p(lists:sort(ets:lookup(T, b))), p(ets:lookup(T, z)), p(lists:sort(ets:tab2list(T))), p(ets:member(T, a)), p(ets:info(T, size)), p(ets:info(T, type)), p(ets:insert_new(T, {a, 9})), p(ets:insert_new(T, {n, 9})), p(ets:delete(T, a)), p(ets:member(T, a)), p(ets:delete_object(T, {b, 4})), p(lists:sort(ets:lookup(T, b))), p(ets:lookup_element(T, c, 2)), p(lists:sort(ets:take(T, c))), p(ets:delete_all_objects(T)), p(ets:tab2list(T)), p(ets:delete(T)), p(ets:info(T))
     end || Type <- [set, ordered_set, bag, duplicate_bag]],
    N = ets:new(named, [named_table, public]), p(N), ets:insert(named, {k, v}), p(ets:lookup(named, k)), p(try ets:new(named, [named_table]) catch error:E -> E end), p(ets:rename(named, other)), p(ets:whereis(other) =:= undefined), p(ets:info(other, name)), p(try ets:lookup(named, k) catch error:E1 -> E1 end), p(ets:delete(other)),
    K = ets:new(keyed, [{keypos, 2}]), ets:insert(K, {x, key, y}), p(ets:lookup(K, key)), p(try ets:insert(K, {short}) catch error:E2 -> E2 end), p(try ets:insert(K, notuple) catch error:E3 -> E3 end), p(ets:info(K, keypos)), p(ets:info(K, protection)), p(ets:info(K, owner) =:= self()).
p(X) -> io:format("~w~n", [X]).
