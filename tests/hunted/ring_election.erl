%% Election in a ring: who has got no higher number after one round is the leader. Numbers are sent on as they come, and a node gives up too early
%% if its own number is overtaken. It fails if there is no leader.
-module(ring_election).
-export([main/0]).
main() ->
    Me = self(),
    Nodes = [spawn_link(fun() -> receive {next, N} -> N ! {number, I}, node_loop(I, N, Me, 6) end end) || I <- [2, 3, 1]],
    [A, B, C] = Nodes,
    spawn_link(fun() -> A ! {next, B}, B ! {next, C}, C ! {next, A} end),
    Said = [receive {said, S} -> S end || _ <- Nodes],
    true = lists:member(leader, Said).
node_loop(_, _, Main, 0) -> Main ! {said, nothing};
node_loop(I, Next, Main, Left) ->
    receive
        {number, I} -> Main ! {said, leader};
        {number, J} when J > I -> Next ! {number, J}, node_loop(I, Next, Main, Left - 1);
        {number, _} -> node_loop(I, Next, Main, Left - 1)
    after 100 -> Main ! {said, nothing}
    end.
