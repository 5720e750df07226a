%% Sets are maps from OTP 28 on; is_equal, map and filtermap of all kinds of sets.
-module(sets_new).
-export([main/0]).

main() ->
    S1 = sets:from_list([1, 2, 3, 1.0, a], [{version, 1}]),
    S2 = sets:from_list([a, 3, 2, 1, 1.0]),
    show("new", fun() -> sets:new() end),
    show("from_list", fun() -> S2 end),
    show("version", fun() -> {is_map(sets:new([{version, 1}])), is_map(sets:new([{version, 2}])), is_map(sets:new([])), is_map(sets:from_list([1], []))} end),
    [show("is_equal", fun() -> sets:is_equal(A, B) end) || A <- [S1, S2, sets:new(), sets:from_list([1])], B <- [S1, S2, sets:new([{version, 1}]), sets:from_list([2])]],
    [show("map", fun() -> {is_map(sets:map(F, S)), lists:sort(sets:to_list(sets:map(F, S)))} end) || S <- [S1, S2], F <- [fun(X) -> {X} end, fun(_) -> same end, fun(X) -> X + 1 end, x]],
    [show("filtermap", fun() -> lists:sort(sets:to_list(sets:filtermap(F, S))) end) || S <- [S1, S2],
        F <- [fun(X) -> is_integer(X) end, fun(X) when is_integer(X) -> {true, X div 2}; (_) -> false end, fun(_) -> maybe_not end, x]],
    show("mixed", fun() -> lists:sort(sets:to_list(sets:union(S1, sets:from_list([z])))) end),
    show("mixed", fun() -> lists:sort(sets:to_list(sets:intersection(S1, S2))) end),
    show("mixed", fun() -> lists:sort(sets:to_list(sets:subtract(S2, S1))) end),
    show("disjoint", fun() -> {sets:is_disjoint(S1, S2), sets:is_subset(S1, S2), sets:is_disjoint(S1, sets:new())} end),
    show("subtract", fun() -> sets:subtract(S2, sets:from_list([a])) end),
    show("union", fun() -> sets:union([S2, sets:from_list([b]), sets:new()]) end),
    show("bad", fun() -> sets:is_equal(x, S2) end),
    O = ordsets:from_list([c, a, b]),
    show("ordsets", fun() -> {ordsets:is_equal(O, [a, b, c]), ordsets:is_equal([1], [1.0]), ordsets:is_equal([], O)} end),
    show("ordsets", fun() -> ordsets:is_equal(x, O) end),
    show("ordsets", fun() -> ordsets:map(fun(X) -> case X of a -> z; _ -> y end end, O) end),
    show("ordsets", fun() -> ordsets:filtermap(fun(a) -> {true, q}; (X) -> X =:= b end, O) end),
    G = gb_sets:from_list([5, 1, 4, 2, 3]),
    show("gb_sets", fun() -> gb_sets:to_list(gb_sets:map(fun(X) -> io:format("~p ", [X]), X rem 3 end, G)) end),
    show("gb_sets", fun() -> gb_sets:to_list(gb_sets:filtermap(fun(X) -> io:format("~p ", [X]), if X > 3 -> true; X > 1 -> {true, X * 10}; true -> false end end, G)) end),
    show("gb_sets", fun() -> gb_sets:filtermap(fun(_) -> other end, G) end),
    show("gb_sets", fun() -> gb_sets:map(x, G) end),
    [show("gb_sets", fun() -> gb_sets:is_equal(A, B) end) || A <- [G, gb_sets:new()], B <- [gb_sets:from_list([1, 2, 3, 4, 5.0]), gb_sets:add(6, G), gb_sets:from_list([1, 2, 3, 4, 6]), gb_sets:new(), x]],
    [show("gb_sets", fun() -> {gb_sets:smaller(X, G), gb_sets:larger(X, G)} end) || X <- [0, 1, 1.5, 3, 5, 6, a]],
    show("gb_sets", fun() -> {gb_sets:smaller(1, gb_sets:new()), gb_sets:larger(1, gb_sets:new())} end).

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
