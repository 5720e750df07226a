%% Nodes elect a leader: each votes for the first that asks. A node that votes also stands itself, and counts its own vote, although it has
%% given it away.
%% Cause: one node voted for another one and then also for itself, so that both counted a majority.
-module(ballots).
-export([main/0]).

main() ->
    Me = self(),
    Nodes = [spawn_link(fun() -> node_init(Name, Me) end) || Name <- [n1, n2, n3]],
    [A, B, C] = Nodes,
    [N ! {peers, Peers} || {N, Peers} <- [{A, [B, C]}, {B, [C, A]}, {C, [A, B]}]],
    Leaders = wait(3, []),
    case lists:sort(Leaders) of
        [_] -> ok;
        [] -> ok;
        Many -> exit({split_brain, Many})
    end.

wait(0, Leaders) -> Leaders;
wait(N, Leaders) ->
    receive
        {leader, Name} -> wait(N - 1, [Name | Leaders]);
        {follower, _} -> wait(N - 1, Leaders)
    end.

node_init(Name, Parent) ->
    receive {peers, Peers} -> ok end,
    follower(Name, Peers, none, Parent).

follower(Name, Peers, Voted, Parent) ->
    receive
        {request_vote, From, _} when Voted =:= none ->
            From ! {granted, self()},
            follower(Name, Peers, From, Parent);
        {request_vote, From, _} ->
            From ! {refused, self()},
            follower(Name, Peers, Voted, Parent)
    after rand:uniform(9) ->
        [begin timer:sleep(Ms), P ! {request_vote, self(), Name} end || {Ms, P} <- lists:zip([1, 8], Peers)],
        candidate(Name, Voted, 1, 0, Parent)
    end.

candidate(Name, _Voted, Yes, _No, Parent) when Yes >= 2 ->
    Parent ! {leader, Name},
    idle();
candidate(Name, _Voted, _Yes, No, Parent) when No >= 2 ->
    Parent ! {follower, Name},
    idle();
candidate(Name, Voted, Yes, No, Parent) ->
    receive
        {granted, _} -> candidate(Name, Voted, Yes + 1, No, Parent);
        {refused, _} -> candidate(Name, Voted, Yes, No + 1, Parent);
        {request_vote, From, _} ->
            From ! {refused, self()},
            candidate(Name, Voted, Yes, No, Parent)
    after 30 ->
        Parent ! {follower, Name},
        idle()
    end.

idle() ->
    receive
        {request_vote, From, _} -> From ! {refused, self()}, idle();
        _ -> idle()
    end.
