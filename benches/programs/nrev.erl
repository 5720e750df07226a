%% Naive reverse of a 400-element list, many times: list cells and collection. 80,601 inferences a turn.
-module(nrev).
-export([main/0, main/1]).

main() -> main(["100"]).

main([N]) -> io:format("~w~n", [turns(list_to_integer(N), lists:seq(1, 400), 0)]).

turns(0, _, Sum) -> Sum;
turns(N, L, Sum) -> turns(N - 1, L, Sum + hd(nrev(L))).

nrev([]) -> [];
nrev([H | T]) -> append(nrev(T), [H]).

append([], L) -> L;
append([H | T], L) -> [H | append(T, L)].
