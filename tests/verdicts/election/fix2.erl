%% Election by a registrar: the first who registers is the leader.
-module(election).
-export([main/0]).

main() ->
    Me = self(),
    Reg = spawn(fun() -> registrar(none) end),
    Pids = [spawn(fun() -> candidate(N, Reg, Me) end) || N <- [1, 2, 3]],
    Views = [receive {view, N, L} -> L end || N <- [1, 2, 3]],
    [exit(P, kill) || P <- [Reg | Pids]],
    io:format("~p~n", [Views]),
    case lists:usort(Views) of
        [_] -> ok;
        Several -> error({split_brain, Several})
    end.

registrar(Leader) ->
    receive
        {claim, N, P} when Leader =:= none -> P ! {leader, N}, registrar(N);
        {claim, _, P} -> P ! {leader, Leader}, registrar(Leader)
    end.

candidate(N, Reg, Main) ->
    Reg ! {claim, N, self()},
    receive {leader, L} -> Main ! {view, N, L} end.
