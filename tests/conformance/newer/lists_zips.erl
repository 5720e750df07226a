%% lists:zip and its like with lists of different lengths, and enumerate/3.
-module(lists_zips).
-export([main/0]).

main() ->
    Hows = [fail, trim, {pad, {x, y}}, {pad, {x, y, z}}, {pad, x}, other],
    Lists = [[], [1], [1, 2], [1, 2, 3], [1 | 2], atom],
    [show(io_lib:format("zip ~0p ~0p ~0p", [A, B, How]), fun() -> lists:zip(A, B, How) end) || A <- Lists, B <- Lists, How <- Hows, is_atom(How) orelse A =/= [1 | 2] andalso B =/= [1 | 2]],
    [show(io_lib:format("zipwith ~0p ~0p ~0p", [A, B, How]), fun() -> lists:zipwith(fun(X, Y) -> [X | Y] end, A, B, How) end) || A <- Lists, B <- Lists, How <- Hows, is_atom(How) orelse A =/= [1 | 2] andalso B =/= [1 | 2]],
    Few = [[], [1], [1, 2], [1, 2, 3]],
    [show(io_lib:format("zip3 ~0p ~0p ~0p ~0p", [A, B, C, How]), fun() -> lists:zip3(A, B, C, How) end) || A <- Few, B <- Few, C <- Few, How <- [fail, trim, {pad, {x, y, z}}]],
    [show(io_lib:format("zipwith3 ~0p ~0p ~0p ~0p", [A, B, C, How]), fun() -> lists:zipwith3(fun(X, Y, Z) -> {X, Y, Z} end, A, B, C, How) end)
     || A <- Few, B <- [[], [1, 2]], C <- Few, How <- [fail, trim, {pad, {x, y, z}}]],
    [show("bad", fun() -> lists:zip3(A, [1], [], How) end) || A <- [a, [1 | a], []], How <- Hows],
    [show("bad", fun() -> lists:zipwith(F, [], [], How) end) || F <- [a, fun(X) -> X end, fun(X, Y) -> X + Y end], How <- Hows],
    [show("bad", fun() -> lists:zipwith3(F, [], [], [], How) end) || F <- [a, fun(X) -> X end, fun(X, Y, Z) -> X + Y + Z end], How <- Hows],
    [show(io_lib:format("zip ~0p ~0p", [A, B]), fun() -> lists:zip(A, B) end) || A <- Lists, B <- Lists],
    [show(io_lib:format("zipwith ~0p ~0p", [A, B]), fun() -> lists:zipwith(fun(X, Y) -> X + Y end, A, B) end) || A <- Lists, B <- Lists],
    [show(io_lib:format("zip3 ~0p ~0p", [A, B]), fun() -> lists:zip3(A, B, A) end) || A <- Lists, B <- Lists],
    [show(io_lib:format("enumerate ~0p ~0p ~0p", [I, S, L]), fun() -> lists:enumerate(I, S, L) end) || I <- [0, 1, -5, a, 1.5], S <- [1, 0, -2, b], L <- [[], [a, b, c], [a | b], x]],
    [show(io_lib:format("enumerate ~0p ~0p", [I, L]), fun() -> lists:enumerate(I, L) end) || I <- [0, 3, a], L <- [[], [a, b], x, [a | b]]],
    [show(io_lib:format("enumerate ~0p", [L]), fun() -> lists:enumerate(L) end) || L <- [[], [a, b], x, [a | b]]].

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
