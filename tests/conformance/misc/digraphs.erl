%% digraph and lists of neighbours.
-module(digraphs).
-export([main/0]).

main() ->
    G = digraph:new(), [digraph:add_vertex(G, V) || V <- [a, b, c, d]], [digraph:add_edge(G, X, Y) || {X, Y} <- [{a, b}, {b, c}, {a, d}]], p(lists:sort(digraph:vertices(G))), p(lists:sort(digraph:out_neighbours(G, a))), p(digraph:in_neighbours(G, c)), p(digraph:get_path(G, a, c)), p(digraph:get_path(G, c, a)), p(digraph:no_edges(G)), p(digraph_utils:topsort(G) =/= false), p(digraph_utils:is_acyclic(G)), p(lists:sort(digraph_utils:reachable([b], G))), p(digraph:delete(G)).
p(X) -> io:format("~w~n", [X]).
