%% re: offsets of split/3, and patterns with a zero byte, which ends them.
-module(re_offsets).
-export([main/0]).

main() ->
    [t(split, [S, P, [{offset, N} | O]]) || S <- ["abc", "a,b,c", ""], P <- ["", ",", "b", "(,)"], N <- lists:seq(0, 6),
                                           O <- [[], [{return, list}], [trim], [{parts, 2}], [group]]],
    [t(F, A) || {F, A} <- [{replace, ["abc", <<0>>, "x"]}, {replace, ["abc", <<"b", 0, "c">>, "x", [global, {return, list}]]},
                           {run, [<<0>>, <<"a", 0>>]}, {run, ["xab", [$a, 0, $b]]}, {run, [<<"a", 0, "b">>, "a\\x00b"]}]].

t(F, A) -> io:format("~0p: ~0p~n", [{F, A}, try apply(re, F, A) catch C:E -> {C, E} end]).
