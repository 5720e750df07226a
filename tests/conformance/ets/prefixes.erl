%% Patterns that bind the first elements of keys that are tuples, in an ordered_set: 1 and 1.0 are one key, and no one pattern; many objects under
%% one key of a bag; what errors of updates say.
-module(prefixes).
-export([main/0]).

p(T, X) -> io:format("~p: ~w~n", [T, X]).

main() ->
    T = ets:new(t, [ordered_set]),
    Keys = [{A, B} || A <- [0, 1, 2, a, [], "x", {1}, 1.5], B <- [-1, 0, 1.0, b, [c], <<"d">>]] ++
           [{1.0, e}, {2.0, 1}, {1, 2, 3}, {1, 2, 4}, {1.0, 2, 5}, {1}, {}, 1, 1.0, [1, 2], #{1 => 2}],
    [ets:insert(T, {K, N}) || {N, K} <- lists:zip(lists:seq(1, length(Keys)), Keys)],
    p(1, [ets:match(T, {{A, '_'}, '$1'}) || A <- [0, 1, 1.0, 2, 2.0, a, [], "x", {1}, 1.5, z]]),
    p(2, ets:match(T, {{1, 2, '_'}, '$1'})),
    p(3, ets:match(T, {{1, '_', 4}, '$1'})),
    p(4, ets:match_object(T, {{'$1', 1.0}, '_'})),
    p(5, ets:select(T, [{{{1, '$1'}, '$2'}, [{is_integer, '$1'}], ['$$']}])),
    p(6, ets:select_reverse(T, [{{{1, '$1'}, '$2'}, [], ['$2']}])),
    p(7, pages(ets:select(T, [{{{2, '_'}, '$2'}, [], ['$2']}], 2))),
    p(8, pages(ets:select_reverse(T, [{{{2, '_'}, '$2'}, [], ['$2']}], 4))),
    p(9, ets:select(T, [{{{1, b}, '$1'}, [], ['$1']}, {{{2, '_'}, '$1'}, [], [{{two, '$1'}}]}])),
    p(10, [ets:select_count(T, [{{{A, '_'}, '_'}, [], [true]}]) || A <- [0, 1, 2.0, q]]),
    p(11, {ets:select_delete(T, [{{{0, '_'}, '$1'}, [{'>', '$1', 3}], [true]}]), ets:match(T, {{0, '_'}, '$1'})}),
    p(12, {ets:match_delete(T, {{a, '_'}, '_'}), ets:match(T, {{a, '_'}, '$1'}), ets:info(T, size)}),
    U = ets:new(u, [ordered_set, {keypos, 2}]),
    [ets:insert(U, {N, {N rem 3, N}}) || N <- lists:seq(1, 10)],
    p(15, ets:match(U, {'$1', {1, '_'}})),
    [bag(Type) || Type <- [bag, duplicate_bag]],
    K = ets:new(k, [{keypos, 2}]),
    p(20, try ets:update_counter(K, key, {3, 1}, {0}) catch _:_:Trace -> element(4, hd(Trace)) end).

pages('$end_of_table') -> [];
pages({Page, Continuation}) -> [Page | pages(ets:select(Continuation))].

bag(Type) ->
    B = ets:new(b, [Type]),
    Objects = [{k, X} || X <- [1, 1.0, 0.0, -0.0, 1 bsl 70, -(1 bsl 70), "text", <<"bytes">>, binary:copy(<<"b">>, 100), #{a => 1}, {1, [2]}, fun lists:map/2,
                               self(), [], a, 1.5]],
    [ets:insert(B, O) || _ <- [1, 2, 3], O <- Objects],
    p({Type, 1}, length(ets:lookup(B, k))),
    [ets:insert(B, {k, {n, N rem 150}}) || N <- lists:seq(1, 300)],
    p({Type, 2}, {length(ets:lookup(B, k)), ets:info(B, size), length(ets:tab2list(B))}),
    [ets:delete_object(B, O) || O <- Objects],
    p({Type, 3}, {length(ets:lookup(B, k)), lists:sort(ets:lookup(B, k)) =:= lists:sort(ets:tab2list(B))}),
    p({Type, 4}, {ets:select_delete(B, [{{k, {n, '$1'}}, [{'<', '$1', 70}], [true]}]), ets:info(B, size)}),
    p({Type, 5}, lists:sublist(ets:lookup_element(B, k, 2), 3)),
    p({Type, 6}, {length(ets:take(B, k)), ets:info(B, size)}).
