%% Cellular automaton in strips: workers exchange their borders by a barrier.
%% In each round every worker publishes its border cell, waits for all, and
%% reads that of its left neighbour.
-module(barrier).
-export([main/0]).

-define(ROUNDS, 2).

main() ->
    N = 3,
    Board = ets:new(board, [public]),
    Barrier = spawn_link(fun() -> barrier(N, []) end),
    Self = self(),
    Ws = [spawn_link(fun() -> worker(Self, Board, Barrier, I, N) end) || I <- lists:seq(0, N - 1)],
    Results = [receive {W, R} -> R end || W <- Ws],
    Expected = expected(N, [1, 2, 3], ?ROUNDS),
    unlink(Barrier),
    exit(Barrier, kill),
    case Results of
        Expected -> io:format("~p~n", [Results]);
        _ -> error({wrong_cells, Results, expected, Expected})
    end.

expected(_, Cells, 0) -> Cells;
expected(N, Cells, R) ->
    Left = [lists:last(Cells) | lists:droplast(Cells)],
    expected(N, [step(C, L) || {C, L} <- lists:zip(Cells, Left)], R - 1).

step(Own, Left) -> (Own * 2 + Left) rem 17.

worker(Boss, Board, Barrier, I, N) ->
    Boss ! {self(), rounds(Board, Barrier, I, N, I + 1, ?ROUNDS)}.

rounds(_, _, _, _, Cell, 0) -> Cell;
rounds(Board, Barrier, I, N, Cell, R) ->
    ets:insert(Board, {I, Cell}),
    wait(Barrier),
    [{_, Left}] = ets:lookup(Board, (I + N - 1) rem N),
    rounds(Board, Barrier, I, N, step(Cell, Left), R - 1).

wait(Barrier) ->
    Barrier ! {here, self()},
    receive {go, Barrier} -> ok end.

barrier(N, Here) when length(Here) =:= N ->
    [P ! {go, self()} || P <- Here],
    barrier(N, []);
barrier(N, Here) ->
    receive {here, P} -> barrier(N, [P | Here]) end.
