%% Shortest paths with gb_sets and maps.
-module(dijkstra).
-export([main/0]).

main() -> G = #{a => [{b, 7}, {c, 9}, {f, 14}], b => [{a, 7}, {c, 10}, {d, 15}], c => [{a, 9}, {b, 10}, {d, 11}, {f, 2}], d => [{b, 15}, {c, 11}, {e, 6}], e => [{d, 6}, {f, 9}], f => [{a, 14}, {c, 2}, {e, 9}]}, io:format("~p~n", [dijkstra(G, gb_sets:singleton({0, a, []}), #{})]).
dijkstra(G, Q, Done) -> case gb_sets:is_empty(Q) of true -> maps:map(fun(_, {D, P}) -> {D, lists:reverse(P)} end, Done); false -> {{D, N, P}, Q1} = gb_sets:take_smallest(Q), case Done of #{N := _} -> dijkstra(G, Q1, Done); _ -> dijkstra(G, lists:foldl(fun({M, W}, A) -> gb_sets:add({D + W, M, [N | P]}, A) end, Q1, maps:get(N, G)), Done#{N => {D, [N | P]}}) end end.
