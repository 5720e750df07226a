%% Three voters, two candidates in one term. A voter that is restarted forgets whom it voted for.
%% Cause: voter v2 voted for a, was restarted, and then voted for b in the same term.
-module(term).
-export([main/0]).

main() ->
    Me = self(),
    Voters = [v1, v2, v3],
    [start(V) || V <- Voters],
    spawn_link(fun() -> candidate(a, Voters, Me) end),
    spawn_link(fun() -> timer:sleep(5), candidate(b, lists:reverse(Voters), Me) end),
    spawn_link(fun() -> timer:sleep(7), v2 ! crash, timer:sleep(2), start(v2), Me ! restarted end),
    Results = [receive {result, C, R} -> {C, R} end || C <- [a, b]],
    receive restarted -> ok end,
    case [C || {C, won} <- Results] of
        [_, _] = Both -> exit({two_leaders, 1, lists:sort(Both)});
        _ -> ok
    end.

start(Name) ->
    Me = self(),
    spawn(fun() -> register(Name, self()), Me ! {up, Name}, voter(Name, none) end),
    receive {up, Name} -> ok end.

voter(Name, VotedFor) ->
    receive
        {vote, 1, C, From} when VotedFor =:= none; VotedFor =:= C ->
            From ! {vote, Name, yes},
            voter(Name, C);
        {vote, 1, _, From} ->
            From ! {vote, Name, no},
            voter(Name, VotedFor);
        crash -> ok
    end.

candidate(C, Voters, Parent) ->
    [ask(V, C) || V <- Voters],
    Yes = collect(length(Voters), 0),
    Parent ! {result, C, if Yes >= 2 -> won; true -> lost end}.

ask(V, C) ->
    timer:sleep(3),
    catch V ! {vote, 1, C, self()}.

collect(0, Yes) -> Yes;
collect(N, Yes) ->
    receive
        {vote, _, yes} -> collect(N - 1, Yes + 1);
        {vote, _, no} -> collect(N - 1, Yes)
    after 50 -> Yes
    end.
