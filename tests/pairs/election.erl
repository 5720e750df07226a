%% Two candidates both think that they lead.
-module(election).
-export([main/0]).

main() ->
    Main = self(),
    Judge = spawn(fun() -> judge(none) end),
    [spawn(fun() -> Judge ! {lead, N, self()}, receive R -> Main ! {N, R} end end) || N <- [1, 2]],
    Rs = [receive {_, R} -> R end || _ <- [1, 2]],
    [leader, member] = lists:sort(Rs).

judge(Leader) ->
    receive
        {lead, 1, P} -> P ! leader, judge(1);
        {lead, N, P} when Leader =:= none -> P ! leader, judge(N);
        {lead, _, P} -> P ! member, judge(Leader)
    end.
