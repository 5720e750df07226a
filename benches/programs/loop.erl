%% A tail-recursive loop with an accumulator.
-module(loop).
-export([main/0, main/1]).

main() -> main(["10000000"]).

main([N]) -> io:format("~w~n", [loop(list_to_integer(N), 0)]).

loop(0, Acc) -> Acc;
loop(N, Acc) -> loop(N - 1, (Acc + N) band 16#ffffff).
