%% A write is good when two of three replicas have acknowledged it.
-module(quorum).
-export([main/0]).

main() ->
    Reps = [spawn_link(fun() -> replica(#{}) end) || _ <- [1, 2, 3]],
    ok = write(Reps, x, 1),
    ok = write(Reps, y, 2),
    X = read(Reps, x),
    Y = read(Reps, y),
    io:format("x ~p y ~p~n", [X, Y]),
    {1, 2} = {X, Y}.

write(Reps, K, V) ->
    Ref = make_ref(),
    [R ! {write, {self(), Ref}, K, V} || R <- Reps],
    await(Ref, 2, []),
    ok.

await(_, 0, Acc) -> Acc;
await(Ref, N, Acc) ->
    receive {ack, Ref, A} -> await(Ref, N - 1, [A | Acc]) end.

read(Reps, K) ->
    Ref = make_ref(),
    [R ! {read, {self(), Ref}, K} || R <- Reps],
    Answers = await(Ref, 2, []),
    lists:max([0 | [V || {ok, V} <- Answers]]).

replica(Data) ->
    receive
        {write, {From, Ref}, K, V} ->
            From ! {ack, Ref, ok},
            replica(Data#{K => V});
        {read, {From, Ref}, K} ->
            From ! {ack, Ref, maps:find(K, Data)},
            replica(Data)
    end.
