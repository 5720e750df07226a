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

-compile({no_auto_import, [round/1]}).

write(Reps, K, V) ->
    _ = round(fun() -> [R ! {write, self(), K, V} || R <- Reps], await(2, []) end),
    ok.

round(F) ->
    Self = self(),
    Pid = spawn_link(fun() -> Self ! {self(), F()} end),
    receive {Pid, Result} -> Result end.

await(0, Acc) -> Acc;
await(N, Acc) ->
    receive {ack, A} -> await(N - 1, [A | Acc]) end.

read(Reps, K) ->
    Answers = round(fun() -> [R ! {read, self(), K} || R <- Reps], await(2, []) end),
    lists:max([0 | [V || {ok, V} <- Answers]]).

replica(Data) ->
    receive
        {write, From, K, V} ->
            From ! {ack, ok},
            replica(Data#{K => V});
        {read, From, K} ->
            From ! {ack, maps:find(K, Data)},
            replica(Data)
    end.
