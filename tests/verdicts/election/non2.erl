%% Bully election: a candidate that hears no answer from a bigger one in time declares itself leader.
-module(election).
-export([main/0]).

main() ->
    Me = self(),
    Pids = [{N, spawn(fun() -> node_loop(N, Me) end)} || N <- [1, 2, 3]],
    [P ! {members, Pids} || {_, P} <- Pids],
    [P ! start || {_, P} <- Pids],
    Views = [receive {view, N, L} -> L end || N <- [1, 2, 3]],
    [exit(P, kill) || {_, P} <- Pids],
    io:format("~p~n", [Views]),
    case lists:usort(Views) of
        [_] -> ok;
        Several -> error({split_brain, Several})
    end.

node_loop(N, Main) ->
    receive {members, Ms} -> ok end,
    receive start -> ok end,
    campaign(N, Ms, Main).

campaign(N, Ms, Main) ->
    Bigger = lists:reverse([P || {M, P} <- Ms, M > N]),
    lists:foreach(fun(P) -> P ! {candidate, N, self()}, P ! {candidate, N, self()} end, Bigger),
    case Bigger of
        [] -> timer:sleep(rand:uniform(20)), declare(N, Ms, Main);
        _ -> wait_for_answer(N, Ms, Main)
    end.

wait_for_answer(N, Ms, Main) ->
    receive
        {alive, _} -> wait_for_leader(N, Main);
        {leader, L} -> done(N, L, Main);
        {candidate, _, P} -> answer(N, P), wait_for_answer(N, Ms, Main)
    after 10 ->
        declare(N, Ms, Main)
    end.

wait_for_leader(N, Main) ->
    receive
        {leader, L} -> done(N, L, Main);
        {candidate, _, P} -> answer(N, P), wait_for_leader(N, Main)
    end.

declare(N, Ms, Main) ->
    [P ! {leader, N} || {M, P} <- Ms, M =/= N],
    done(N, N, Main).

%% A node may be busy.
answer(N, P) ->
    timer:sleep(rand:uniform(11)),
    P ! {alive, N}.

done(N, L, Main) ->
    Main ! {view, N, L},
    serve(N).

serve(N) ->
    receive
        {candidate, _, P} -> answer(N, P), serve(N);
        _ -> serve(N)
    end.
