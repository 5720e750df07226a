%% filename: lists and binaries together, characters above 127, and what is no name.
-module(filename_mixed).
-export([main/0]).

main() ->
    Names = ["ß", "€", <<"b">>, <<"å"/utf8>>, <<255>>, 'å', a, "", <<>>, "/x", "a/", ["x", [y, "z/"]], undefined, "a.ext", <<"a.ext">>, "~/x",
             "ß.€"],
    Bad = [12, [1.0], [-1], [16#D800], [a, "b", <<"c">>], [<<"q">>], [$a | b]],
    [t(F, [A]) || F <- [flatten, pathtype], A <- Names ++ Bad],
    [t(join, [[A]]) || A <- Names ++ Bad],
    [t(join, [[A, B, "q"]]) || A <- Names ++ Bad, B <- Names ++ Bad],
    [t(F, [A, B]) || F <- [join, append, absname_join, absname, rootname], A <- Names ++ Bad, B <- Names ++ Bad],
    [t(basename, [A, B]) || A <- Names ++ Bad, B <- Names ++ Bad, not lists:member(A, ["a/", ["x", [y, "z/"]]])],
    [t(join, [A]) || A <- [[], [[]], [<<>>], [[], []]]].

t(F, A) ->
    R = try apply(filename, F, A)
        catch C:E:S -> {C, E, [{M, G, X} || {M, G, X, _} <- S, M =/= ?MODULE, M =/= harness, M =/= init]}
        end,
    io:format("~p~w: ~0p~n", [F, A, R]).
