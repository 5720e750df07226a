%% The total order of all terms, and the two equalities.
-module(term_order).
-export([main/0]).

main() ->
    Ts = [1, 1.0, 2, -1, 0, 1.5, 1 bsl 70, -(1 bsl 70), 1.0e30, a, b, 'A', '', make_tuple(0), {1}, {a}, {1, 2}, {1.0, 2}, {2, 1}, #{}, #{a => 1}, #{a => 1.0}, #{b => 1}, #{1 => a}, #{1.0 => a}, #{a => 1, b => 2}, [], [1], [1.0], [1, 2], [2], [1 | 2], "abc", "abd", [a], <<>>, <<1>>, <<1, 2>>, <<2>>, <<1:1>>, <<0:7>>, <<255>>],
    S = lists:sort(Ts),
    io:format("~w~n", [S]),
    io:format("~w~n", [lists:usort(Ts)]),
    io:format("~s~n", [[[c(A, B) || B <- Ts] ++ "\n" || A <- Ts]]),
    io:format("~s~n", [[[e(A, B) || B <- Ts] ++ "\n" || A <- Ts]]),
    io:format("~w~n", [{1 == 1.0, 1 =:= 1.0, {1} == {1.0}, {1} =:= {1.0}, [1] == [1.0], #{a => 1} == #{a => 1.0}, #{1 => a} == #{1.0 => a}, 0.0 == -0.0, 0.0 =:= -0.0, 9007199254740993 == 9007199254740992.0, 9007199254740993 > 9007199254740992.0}]).

make_tuple(N) -> erlang:make_tuple(N, x).
c(A, B) when A < B -> $<;
c(A, B) when A > B -> $>;
c(A, B) when A == B -> $=.
e(A, B) when A =:= B -> $1;
e(A, B) when A =/= B -> $0.
