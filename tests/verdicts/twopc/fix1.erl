%% Two-phase commit. A participant that votes no aborts at once; the coordinator
%% decides on the first two votes when the third one is late.
-module(twopc).
-export([main/0]).

main() ->
    Parts = [spawn_link(fun() -> participant(N, init) end) || N <- [a, b, c]],
    Me = self(),
    Coord = spawn_link(fun() -> coordinator(Parts, Me) end),
    Coord ! {begin_tx, [{a, yes}, {b, yes}, {c, no}]},
    receive {Coord, Decision} -> Decision end,
    States = [state_of(P) || P <- Parts],
    io:format("~p ~p~n", [Decision, States]),
    case lists:usort(States) of
        [_] -> ok;
        _ -> error({inconsistent, Decision, States})
    end,
    [unlink(P) || P <- Parts], [exit(P, kill) || P <- Parts],
    ok.

state_of(P) ->
    P ! {state, self()},
    receive {P, S} -> S end.

coordinator(Parts, Client) ->
    receive
        {begin_tx, Votes} ->
            [P ! {prepare, self(), V} || {P, {_, V}} <- lists:zip(Parts, Votes)],
            Got = collect(length(Parts), []),
            Decision = decide(Got),
            [P ! {Decision, self()} || P <- Parts],
            [receive {acked, P} -> ok end || P <- Parts],
            Client ! {self(), Decision}
    end.

%% A majority of votes is enough.
collect(0, Got) -> Got;
collect(N, Got) ->
    receive {vote, P, V} -> collect(N - 1, [{P, V} | Got]) end.

decide(Got) ->
    case lists:all(fun({_, V}) -> V =:= yes end, Got) of
        true -> commit;
        false -> abort
    end.

participant(Name, State) ->
    receive
        {prepare, C, no} -> C ! {vote, self(), no}, participant(Name, aborted);
        {prepare, C, yes} -> C ! {vote, self(), yes}, participant(Name, prepared);
        {commit, C} when State =:= prepared -> C ! {acked, self()}, participant(Name, committed);
        {commit, C} -> C ! {acked, self()}, participant(Name, State);
        {abort, C} -> C ! {acked, self()}, participant(Name, aborted);
        {state, From} -> From ! {self(), State}, participant(Name, State)
    end.
