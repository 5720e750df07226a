%% Ten thousand processes and their answers.
-module(many).
-export([main/0]).

main() ->
    Me = self(), N = 10000,
    Ps = [spawn(fun() -> receive {go, X} -> Me ! {self(), X * X} end end) || _ <- lists:seq(1, N)],
    lists:foldl(fun(P, I) -> P ! {go, I}, I + 1 end, 1, Ps),
    io:format("~w~n", [lists:sum([receive {P, S} -> S end || P <- Ps])]).
