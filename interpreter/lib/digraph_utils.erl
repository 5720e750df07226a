%% The module `digraph_utils`. Orders of results are OTP's: forests are made by depth-first walks whose stack holds a vertex's neighbours
%% before what was there.
-module(digraph_utils).
-export([components/1, strong_components/1, cyclic_strong_components/1, reachable/2, reachable_neighbours/2, reaching/2, reaching_neighbours/2,
         topsort/1, is_acyclic/1, arborescence_root/1, is_arborescence/1, is_tree/1, loop_vertices/1, subgraph/2, subgraph/3, condensation/1,
         preorder/1, postorder/1]).

components(G) -> forest(fun both/2, digraph:vertices(G), first, G).
strong_components(G) -> forest(fun in/2, reverse_postorder(G), first, G).

cyclic_strong_components(G) ->
    lists:foldl(fun([V] = C, Acc) ->
                        case loops(V, G) of
                            true -> [C | Acc];
                            false -> Acc
                        end;
                   (C, Acc) -> [C | Acc]
                end, [], strong_components(G)).

reachable(Vs, G) when is_list(Vs) -> lists:append(forest(fun out/2, Vs, first, G)).
reachable_neighbours(Vs, G) when is_list(Vs) -> lists:append(forest(fun out/2, Vs, not_first, G)).
reaching(Vs, G) when is_list(Vs) -> lists:append(forest(fun in/2, Vs, first, G)).
reaching_neighbours(Vs, G) when is_list(Vs) -> lists:append(forest(fun in/2, Vs, not_first, G)).

%% No cycle if every strong component is one vertex.
topsort(G) ->
    Order = reverse_postorder(G),
    case length(forest(fun in/2, Order, first, G)) =:= length(digraph:vertices(G)) of
        true -> Order;
        false -> false
    end.

is_acyclic(G) -> loop_vertices(G) =:= [] andalso topsort(G) =/= false.

arborescence_root(G) ->
    case digraph:no_edges(G) =:= digraph:no_vertices(G) - 1 of
        true ->
            Root = fun(V, Roots) ->
                case digraph:in_degree(G, V) of
                    1 -> Roots;
                    0 when Roots =:= [] -> [V]
                end
            end,
            try lists:foldl(Root, [], digraph:vertices(G)) of
                [V] -> {yes, V}
            catch
                error:_ -> no
            end;
        false -> no
    end.

is_arborescence(G) -> arborescence_root(G) =/= no.
is_tree(G) -> digraph:no_edges(G) =:= digraph:no_vertices(G) - 1 andalso length(components(G)) =:= 1.
loop_vertices(G) -> [V || V <- digraph:vertices(G), loops(V, G)].
preorder(G) -> lists:reverse(lists:append(forest(fun out/2, beginnings(G), first, G))).
postorder(G) -> lists:reverse(post([{visit, V} || V <- beginnings(G)], #{}, [], G)).

%% Where the walks of preorder and postorder begin: from OTP 26 on, first where no edge ends, then in each component.
-if(?OTP_RELEASE >= 26).
beginnings(G) -> [V || V <- digraph:vertices(G), digraph:in_degree(G, V) =:= 0] ++ [V || [V | _] <- components(G)].
-else.
beginnings(G) -> digraph:vertices(G).
-endif.

loops(V, G) -> lists:member(V, digraph:out_neighbours(G, V)).

in(V, G) -> digraph:in_neighbours(G, V).
out(V, G) -> digraph:out_neighbours(G, V).
both(V, G) -> in(V, G) ++ out(V, G).

%% ---- walks ----------------------------------------------------------------------------------------------------------------------------

%% The trees found from these vertices, the last one first, each with its last vertex first.
forest(Next, Vs, First, G) ->
    {Trees, _} = lists:foldl(fun(V, {Trees, Seen}) ->
        {Tree, Now} = case First of
            first -> tree([V], [], Next, Seen, G);
            not_first when is_map_key(V, Seen) -> {[], Seen};
            not_first -> tree(Next(V, G), [], Next, Seen, G)
        end,
        {case Tree of [] -> Trees; _ -> [Tree | Trees] end, Now}
    end, {[], #{}}, Vs),
    Trees.

tree([V | Vs], Tree, Next, Seen, G) when is_map_key(V, Seen) -> tree(Vs, Tree, Next, Seen, G);
tree([V | Vs], Tree, Next, Seen, G) -> tree(Next(V, G) ++ Vs, [V | Tree], Next, Seen#{V => []}, G);
tree([], Tree, _, Seen, _) -> {Tree, Seen}.

%% On a stack of its own: a vertex is done when everything pushed after it is.
reverse_postorder(G) -> post([{visit, V} || V <- digraph:vertices(G)], #{}, [], G).

post([{visit, V} | Stack], Seen, Done, G) when is_map_key(V, Seen) -> post(Stack, Seen, Done, G);
post([{visit, V} | Stack], Seen, Done, G) -> post([{visit, W} || W <- out(V, G)] ++ [{done, V} | Stack], Seen#{V => []}, Done, G);
post([{done, V} | Stack], Seen, Done, G) -> post(Stack, Seen, [V | Done], G);
post([], _, Done, _) -> Done.

%% ---- graphs from graphs ---------------------------------------------------------------------------------------------------------------

subgraph(G, Vs) -> subgraph(G, Vs, []).

subgraph(G, Vs, Options) ->
    case options(Options, inherit, true) of
        {inherit, Keep} -> part(G, Vs, inherited(G), Keep);
        {Type, Keep} -> part(G, Vs, Type, Keep);
        error -> erlang:error(badarg)
    end.

options([{type, Type} | Options], _, Keep) when Type =:= inherit; is_list(Type) -> options(Options, Type, Keep);
options([{keep_labels, Keep} | Options], Type, _) when is_boolean(Keep) -> options(Options, Type, Keep);
options([], Type, Keep) -> {Type, Keep};
options(_, _, _) -> error.

inherited(G) ->
    Info = digraph:info(G),
    [proplists:get_value(cyclicity, Info), proplists:get_value(protection, Info)].

part(G, Vs, Type, Keep) ->
    Part = digraph:new(Type),
    Label = fun(L) when Keep -> L; (_) -> [] end,
    lists:foreach(fun(V) ->
        case digraph:vertex(G, V) of
            false -> ok;
            {_, L} -> digraph:add_vertex(Part, V, Label(L))
        end
    end, Vs),
    lists:foreach(fun(V) ->
        lists:foreach(fun(E) ->
            {_, V1, V2, L} = digraph:edge(G, E),
            digraph:vertex(Part, V2) =/= false andalso digraph:add_edge(Part, E, V1, V2, Label(L))
        end, digraph:out_edges(G, V))
    end, digraph:vertices(Part)),
    Part.

%% Strong components as vertices; an edge where one leads to another.
condensation(G) ->
    Components = strong_components(G),
    Of = maps:from_list([{V, C} || C <- Components, V <- C]),
    Condensed = part(G, [], inherited(G), true),
    lists:foreach(fun(C) ->
        digraph:add_vertex(Condensed, C),
        Reached = lists:usort([maps:get(W, Of) || V <- C, W <- out(V, G)]),
        lists:foreach(fun(D) ->
            digraph:add_vertex(Condensed, D),
            C =/= D andalso digraph:add_edge(Condensed, C, D)
        end, Reached)
    end, Components),
    Condensed.
