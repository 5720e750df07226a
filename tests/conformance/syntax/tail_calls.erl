%% Tail calls run in constant space; deep recursion does not overflow.
-module(tail_calls).
-export([main/0]).

main() ->
    io:format("~w~n", [count(3000000, 0)]),
    io:format("~w~n", [length(build(1000000))]),
    io:format("~w~n", [sum(lists:seq(1, 1000000))]),
    F = fun Loop(0) -> done; Loop(N) -> Loop(N - 1) end,
    io:format("~w~n", [F(1000000)]),
    io:format("~w~n", [ping(1000000)]),
    io:format("~w~n", [in_case(500000)]),
    io:format("~w~n", [in_andalso(500000)]),
    io:format("~w~n", [tl_apply(300000)]).

count(0, N) -> N;
count(K, N) -> count(K - 1, N + 1).

build(0) -> [];
build(N) -> [N | build(N - 1)].

sum([]) -> 0;
sum([H | T]) -> H + sum(T).

ping(0) -> ping;
ping(N) -> pong(N - 1).
pong(0) -> pong;
pong(N) -> ping(N - 1).

in_case(N) ->
    case N of
        0 -> zero;
        _ when N > 0 -> if N > 0 -> begin in_case(N - 1) end end
    end.

in_andalso(0) -> true;
in_andalso(N) -> N > 0 andalso in_andalso(N - 1).

tl_apply(0) -> applied;
tl_apply(N) -> apply(fun tl_apply/1, [N - 1]).
