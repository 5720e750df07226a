%% Cellular automaton in strips: workers exchange their borders by a barrier.
%% In each round every worker publishes its border cell, waits for all, and
%% reads that of its left neighbour.
-module(barrier).
-export([main/0]).

-define(ROUNDS, 2).

main() ->
    N = 3,
    Self = self(),
    Ws = [spawn_link(fun() -> receive {right, P} -> worker(Self, P, I) end end) || I <- lists:seq(0, N - 1)],
    [L ! {right, R} || {L, R} <- lists:zip(Ws, tl(Ws) ++ [hd(Ws)])],
    Results = [receive {W, R} -> R end || W <- Ws],
    Expected = expected(N, [1, 2, 3], ?ROUNDS),
    case Results of
        Expected -> io:format("~p~n", [Results]);
        _ -> error({wrong_cells, Results, expected, Expected})
    end.

expected(_, Cells, 0) -> Cells;
expected(N, Cells, R) ->
    Left = [lists:last(Cells) | lists:droplast(Cells)],
    expected(N, [step(C, L) || {C, L} <- lists:zip(Cells, Left)], R - 1).

step(Own, Left) -> (Own * 2 + Left) rem 17.

worker(Boss, Right, I) ->
    Boss ! {self(), rounds(Right, I + 1, ?ROUNDS)}.

rounds(_, Cell, 0) -> Cell;
rounds(Right, Cell, R) ->
    Right ! {border, R, Cell},
    receive
        {border, R, Left} -> rounds(Right, step(Cell, Left), R - 1)
    end.
