%% A barrier opens too early.
-module(barrier).
-export([main/0]).

main() ->
    Main = self(),
    B = spawn(fun() -> barrier(3, []) end),
    [spawn(fun() -> B ! {here, self()}, receive go -> Main ! {through, N} end end) || N <- [1, 2, 3]],
    spawn(fun() -> B ! {how_many, Main} end),
    receive {how_many, N} when N =< 3 -> ok; {how_many, N} -> error({too_many, N}) end,
    [receive {through, _} -> ok end || _ <- [1, 2, 3]],
    ok.

barrier(0, Ps) -> [P ! go || P <- Ps], barrier(3, []);
barrier(N, Ps) ->
    receive
        {here, P} -> barrier(N - 1, [P | Ps]);
        {how_many, F} -> F ! {how_many, length(Ps)}, barrier(N, Ps)
    end.
