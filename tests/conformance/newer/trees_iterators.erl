%% Iterators of gb_sets and gb_trees in both directions.
-module(trees_iterators).
-export([main/0]).

main() ->
    Set = gb_sets:from_list(lists:seq(1, 20, 3)),
    Tree = gb_trees:from_orddict([{N, N * N} || N <- lists:seq(1, 20, 3)]),
    [show("all", fun() -> {all(gb_sets, gb_sets:iterator(Set, Order)), all(gb_trees, gb_trees:iterator(Tree, Order))} end) || Order <- [ordered, reversed, other]],
    [show(io_lib:format("from ~0p", [X]), fun() -> {all(gb_sets, gb_sets:iterator_from(X, Set, Order)), all(gb_trees, gb_trees:iterator_from(X, Tree, Order))} end)
     || X <- [0, 1, 2, 10, 19, 20, 7.0, a, -1], Order <- [ordered, reversed]],
    [show("from", fun() -> {all(gb_sets, gb_sets:iterator_from(X, Set)), all(gb_trees, gb_trees:iterator_from(X, Tree))} end) || X <- [0, 8, 25]],
    show("shape", fun() -> gb_sets:iterator(gb_sets:from_list([1, 2, 3])) end),
    show("shape", fun() -> gb_sets:iterator(gb_sets:from_list([1, 2, 3]), reversed) end),
    show("shape", fun() -> gb_trees:iterator(gb_trees:from_orddict([{1, a}, {2, b}])) end),
    show("shape", fun() -> gb_trees:next(gb_trees:iterator(gb_trees:from_orddict([{1, a}, {2, b}]), reversed)) end),
    show("empty", fun() -> {gb_sets:iterator(gb_sets:new()), gb_trees:iterator(gb_trees:empty(), reversed)} end),
    show("end", fun() -> {gb_sets:next(gb_sets:iterator(gb_sets:new())), gb_trees:next({ordered, []})} end),
    show("bad", fun() -> gb_sets:next([]) end),
    show("bad", fun() -> gb_trees:next([]) end),
    show("bad", fun() -> gb_sets:iterator(x) end),
    show("bad", fun() -> gb_trees:iterator(x, ordered) end),
    show("bad", fun() -> gb_trees:iterator_from(1, Tree, x) end),
    [show(io_lib:format("beside ~0p", [X]), fun() -> {gb_trees:smaller(X, Tree), gb_trees:larger(X, Tree), gb_sets:smaller(X, Set), gb_sets:larger(X, Set)} end) || X <- [0, 1, 2, 9, 10, 11.5, 19, 20, x]],
    show("beside", fun() -> {gb_trees:smaller(1, gb_trees:empty()), gb_trees:larger(1, gb_trees:empty())} end),
    show("beside", fun() -> gb_trees:smaller(1, x) end).

all(M, Iterator) ->
    case M:next(Iterator) of
        {X, Next} -> [X | all(M, Next)];
        {K, V, Next} -> [{K, V} | all(M, Next)];
        none -> []
    end.

show(Name, Fun) ->
    Result =
        try Fun()
        catch
            Class:Reason:Stack ->
                case hd(Stack) of
                    {?MODULE, _, _, _} -> {Class, Reason};
                    {M, F, A, _} -> {Class, Reason, {M, F, if is_list(A) -> length(A); true -> A end}}
                end
        end,
    io:format("~ts: ~0tkp~n", [Name, Result]).
