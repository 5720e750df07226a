%% The module `digraph`: a graph is three tables, of vertices, of edges, and of which edges leave and enter a vertex. The order in which
%% neighbours and paths are found is OTP's: that of a bag, newest last, read from its end.
-module(digraph).
-export([new/0, new/1, delete/1, info/1, add_vertex/1, add_vertex/2, add_vertex/3, del_vertex/2, del_vertices/2, vertex/2, no_vertices/1, vertices/1,
         source_vertices/1, sink_vertices/1, add_edge/3, add_edge/4, add_edge/5, del_edge/2, del_edges/2, del_path/3, edge/2, no_edges/1, edges/1,
         out_neighbours/2, in_neighbours/2, out_edges/2, in_edges/2, edges/2, out_degree/2, in_degree/2, get_path/3, get_cycle/2,
         get_short_path/3, get_short_cycle/2]).
-record(digraph, {vertices, edges, ends, cyclic = true}).

new() -> new([]).

new(Types) ->
    case types(Types, protected, none) of
        {Access, Cyclic} ->
            Ends = ets:new(neighbours, [bag, Access]),
            Graph = #digraph{vertices = ets:new(vertices, [set, Access]), edges = ets:new(edges, [set, Access]), ends = Ends, cyclic = Cyclic},
            ets:insert(Ends, [{'$vid', 0}, {'$eid', 0}]),
            Graph;
        error -> erlang:error(badarg)
    end.

%% Of `cyclic` and `acyclic` the first holds, of the protections the last.
types([], Access, Cyclic) -> {Access, Cyclic =/= acyclic};
types([Type | Types], Access, Cyclic) when Type =:= cyclic; Type =:= acyclic ->
    types(Types, Access, case Cyclic of none -> Type; _ -> Cyclic end);
types([Access | Types], _, Cyclic) when Access =:= protected; Access =:= private -> types(Types, Access, Cyclic);
types(_, _, _) -> error.

delete(G) ->
    ets:delete(G#digraph.vertices),
    ets:delete(G#digraph.edges),
    ets:delete(G#digraph.ends).

info(#digraph{vertices = V, edges = E, ends = N, cyclic = Cyclic}) ->
    [{cyclicity, case Cyclic of true -> cyclic; false -> acyclic end},
     {memory, lists:sum([ets:info(T, memory) || T <- [V, E, N]])},
     {protection, ets:info(V, protection)}].

%% ---- vertices -------------------------------------------------------------------------------------------------------------------------

add_vertex(G) -> insert_vertex(fresh(G, '$vid', '$v'), [], G).
add_vertex(G, V) -> insert_vertex(V, [], G).
add_vertex(G, V, Label) -> insert_vertex(V, Label, G).

insert_vertex(V, Label, G) ->
    ets:insert(G#digraph.vertices, {V, Label}),
    V.

%% A name for a vertex or an edge that was not given one: ['$v' | N].
fresh(#digraph{ends = Ends}, Counter, Prefix) ->
    [{Counter, N}] = ets:lookup(Ends, Counter),
    true = ets:delete(Ends, Counter),
    true = ets:insert(Ends, {Counter, N + 1}),
    [Prefix | N].

del_vertex(G, V) ->
    remove([E || {_, E} <- ets:lookup(G#digraph.ends, {in, V})], G),
    remove([E || {_, E} <- ets:lookup(G#digraph.ends, {out, V})], G),
    ets:delete(G#digraph.vertices, V).

del_vertices(G, [V | Vs]) ->
    del_vertex(G, V),
    del_vertices(G, Vs);
del_vertices(#digraph{}, []) -> true.

vertex(G, V) -> only(ets:lookup(G#digraph.vertices, V)).
edge(G, E) -> only(ets:lookup(G#digraph.edges, E)).

only([]) -> false;
only([Found]) -> Found.

no_vertices(G) -> ets:info(G#digraph.vertices, size).
vertices(G) -> ets:select(G#digraph.vertices, [{{'$1', '_'}, [], ['$1']}]).

source_vertices(G) -> without(in, G).
sink_vertices(G) -> without(out, G).

without(Side, G) -> lists:reverse([V || V <- vertices(G), not ets:member(G#digraph.ends, {Side, V})]).

in_degree(G, V) -> length(ets:lookup(G#digraph.ends, {in, V})).
out_degree(G, V) -> length(ets:lookup(G#digraph.ends, {out, V})).
in_edges(G, V) -> [E || {_, E} <- ets:lookup(G#digraph.ends, {in, V})].
out_edges(G, V) -> [E || {_, E} <- ets:lookup(G#digraph.ends, {out, V})].
in_neighbours(G, V) -> neighbours(in_edges(G, V), 2, G).
out_neighbours(G, V) -> neighbours(out_edges(G, V), 3, G).

neighbours(Edges, Position, G) -> lists:reverse([ets:lookup_element(G#digraph.edges, E, Position) || E <- Edges]).

%% ---- edges ----------------------------------------------------------------------------------------------------------------------------

add_edge(G, V1, V2) -> insert_edge(fresh(G, '$eid', '$e'), V1, V2, [], G).
add_edge(G, V1, V2, Label) -> insert_edge(fresh(G, '$eid', '$e'), V1, V2, Label, G).
add_edge(G, E, V1, V2, Label) -> insert_edge(E, V1, V2, Label, G).

insert_edge(E, V1, V2, Label, #digraph{vertices = Vertices, edges = Edges, ends = Ends, cyclic = Cyclic} = G) ->
    case [V || V <- [V1, V2], not ets:member(Vertices, V)] of
        [Bad | _] -> {error, {bad_vertex, Bad}};
        [] ->
            Path = case ets:lookup(Edges, E) of
                [{_, A, B, _}] when A =/= V1; B =/= V2 -> [V1, V2];
                _ when Cyclic -> false;
                _ when V1 =:= V2 -> [V1, V2];
                _ -> get_path(G, V2, V1)
            end,
            case Path of
                false ->
                    ets:insert(Ends, [{{out, V1}, E}, {{in, V2}, E}]),
                    ets:insert(Edges, {E, V1, V2, Label}),
                    E;
                _ -> {error, {bad_edge, Path}}
            end
    end.

del_edge(G, E) -> remove([E], G).
del_edges(G, Es) -> remove(Es, G).

remove([E | Es], #digraph{edges = Edges, ends = Ends} = G) ->
    case ets:lookup(Edges, E) of
        [{_, V1, V2, _}] ->
            ets:delete_object(Ends, {{in, V2}, E}),
            ets:delete_object(Ends, {{out, V1}, E}),
            ets:delete(Edges, E);
        [] -> true
    end,
    remove(Es, G);
remove([], #digraph{}) -> true.

no_edges(G) -> ets:info(G#digraph.edges, size).
edges(G) -> ets:select(G#digraph.edges, [{{'$1', '_', '_', '_'}, [], ['$1']}]).
edges(G, V) -> ets:select(G#digraph.ends, [{{{out, V}, '$1'}, [], ['$1']}, {{{in, V}, '$1'}, [], ['$1']}]).

del_path(G, V1, V2) ->
    case get_path(G, V1, V2) of
        false -> true;
        Path ->
            cut(Path, G),
            del_path(G, V1, V2)
    end.

cut([V1, V2 | Vs], G) ->
    remove([E || E <- out_edges(G, V1), element(3, edge(G, E)) =:= V2], G),
    cut([V2 | Vs], G);
cut(_, _) -> true.

%% ---- paths ----------------------------------------------------------------------------------------------------------------------------

%% Depth first. A cycle has at least two steps, unless there is only the edge from the vertex to itself.
get_path(G, V1, V2) -> path(out_neighbours(G, V1), V2, [], #{V1 => []}, [V1], 1, 1, G).

get_cycle(G, V) ->
    case path(out_neighbours(G, V), V, [], #{V => []}, [V], 2, 1, G) of
        false ->
            case lists:member(V, out_neighbours(G, V)) of
                true -> [V];
                false -> false
            end;
        Path -> Path
    end.

%% `Path` leads, backwards, to the vertex whose neighbours these are; `Length` vertices are on it; `Rest` are the choices left before.
path([To | Vs], To, Rest, Seen, Path, Least, Length, G) when Length < Least -> path(Vs, To, Rest, Seen, Path, Least, Length, G);
path([To | _], To, _, _, Path, _, _, _) -> lists:reverse([To | Path]);
path([V | Vs], To, Rest, Seen, Path, Least, Length, G) when is_map_key(V, Seen) -> path(Vs, To, Rest, Seen, Path, Least, Length, G);
path([V | Vs], To, Rest, Seen, Path, Least, Length, G) ->
    path(out_neighbours(G, V), To, [{Vs, Path} | Rest], Seen#{V => []}, [V | Path], Least, Length + 1, G);
path([], To, [{Vs, Path} | Rest], Seen, _, Least, Length, G) -> path(Vs, To, Rest, Seen, Path, Least, Length - 1, G);
path([], _, [], _, _, _, _, _) -> false.

get_short_cycle(G, V) -> get_short_path(G, V, V).

%% Breadth first; `From` says from where a vertex was reached.
get_short_path(G, V1, V2) -> short(queue:from_list(out_edges(G, V1)), V2, #{V1 => none}, G).

short(Queue, To, From, G) ->
    case queue:out(Queue) of
        {{value, E}, Rest} ->
            case edge(G, E) of
                {_, V, To, _} -> way(V, From, [To]);
                {_, _, V, _} when is_map_key(V, From) -> short(Rest, To, From, G);
                {_, V, W, _} -> short(lists:foldl(fun queue:in/2, Rest, out_edges(G, W)), To, From#{W => {V}}, G)
            end;
        {empty, _} -> false
    end.

way(V, From, Path) ->
    case From of
        #{V := {W}} -> way(W, From, [V | Path]);
        _ -> [V | Path]
    end.
