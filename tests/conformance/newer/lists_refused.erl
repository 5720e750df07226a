%% What the functions of lists refuse since OTP 26: positions that are no integers, merged things that are no lists.
-module(lists_refused).
-export([main/0]).

main() ->
    Things = [[], [1, 3], [2], [0 | 1], a, {1}],
    Two = [merge, umerge, rmerge, rumerge],
    [show(io_lib:format("~w ~0p ~0p", [F, A, B]), fun() -> lists:F(A, B) end) || F <- Two, A <- Things, B <- Things],
    [show(io_lib:format("~w ~0p ~0p", [F, A, B]), fun() -> lists:F(fun(X, Y) -> X =< Y end, A, B) end) || F <- Two, A <- Things, B <- Things],
    [show(io_lib:format("~w fun", [F]), fun() -> lists:F(x, [], []) end) || F <- Two],
    Small = [[], [1], a],
    [show(io_lib:format("~w ~0p ~0p ~0p", [F, A, B, C]), fun() -> lists:F(A, B, C) end) || F <- [merge3, umerge3, rmerge3, rumerge3], A <- Small, B <- Small, C <- Small],
    Keyed = [[], [{1, a}], [{1, b}, {2}], a, [x], [{1} | z]],
    [show(io_lib:format("~w ~0p ~0p", [F, A, B]), fun() -> lists:F(1, A, B) end) || F <- [keymerge, ukeymerge, rkeymerge, rukeymerge], A <- Keyed, B <- Keyed],
    [show(io_lib:format("~w ~0p", [F, N]), fun() -> lists:F(N, [], []) end) || F <- [keymerge, ukeymerge], N <- [0, 1.5, a]],
    Positions = [0, 1, 2, 3, 4, -1, 1.0, 2.5, a],
    Lists = [[], [x], [x, y, z], [x | y], [x, y | z], a],
    [show(io_lib:format("~w ~0p ~0p", [F, N, L]), fun() -> lists:F(N, L) end) || F <- [nth, nthtail, split], N <- Positions, L <- Lists],
    [show(io_lib:format("~w ~0p", [F, L]), fun() -> lists:F(L) end) || F <- [merge, umerge, append, concat], L <- [[[1], [0, 2], [3]], [[1]], [], [a], [[1], a], [[1], [2] | a], [[], a, [1]]]],
    [show(io_lib:format("flatmap ~0p", [L]), fun() -> lists:flatmap(fun(X) -> X end, L) end) || L <- [[], [[]], [[1], [], [2, 3]], [[1], a], [a, [1]], [[1] | [2]], [[1] | x]]].

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
