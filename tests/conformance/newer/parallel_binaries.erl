%% Two binary patterns on both sides of `=`.
-module(parallel_binaries).
-export([main/0]).

f(<<A, B>> = <<C:16>>) -> {A, B, C};
f(<<A:4, _/bitstring>> = <<B:8, _/binary>>) -> {A, B};
f(_) -> none.

g({<<X>>, Y} = {<<_:4, Z:4>>, _}) -> {X, Y, Z}.

main() ->
    io:format("~p~n", [f(<<1, 2>>)]),
    io:format("~p~n", [f(<<16#12, 1, 2>>)]),
    io:format("~p~n", [f(<<>>)]),
    io:format("~p~n", [g({<<16#34>>, a})]),
    <<H:8, T/binary>> = <<N:16, _/binary>> = <<1, 2, 3>>,
    io:format("~p~n", [{H, T, N}]),
    io:format("~p~n", [case <<"ab">> of <<"a", R/binary>> = <<W:16>> -> {R, W} end]),
    io:format("~p~n", [[{A, B} || (<<A:4, _:4>> = <<B>>) <- [<<1>>, <<16#23>>]]]),
    io:format("~p~n", [(fun(<<A:2, _:6>> = <<B:8/signed>>) -> {A, B} end)(<<255>>)]),
    io:format("~p~n", [try <<X:8>> = <<Y:16>> = <<5>>, {X, Y} catch error:{badmatch, V} -> {no, V} end]),
    io:format("~p~n", [max(1, 2) > min(3, 4)]),
    io:format("~p~n", [[X || X <- [1, 2, 3], max(X, 2) =:= X]]),
    io:format("~p~n", [if max(1, 2) =:= 2 -> yes; true -> no end]).
