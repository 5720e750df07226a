%% node: first
%% Bully election over nodes: the highest living node leads; leaders are stopped one after the other.
-module(elections).
-export([main/0, member/2]).

host() -> list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

main() ->
    Nodes = [begin {ok, N} = slave:start(host(), Name), N end || Name <- [n1, n2, n3, n4]],
    Members = [{I, spawn(N, ?MODULE, member, [I, self()])} || {I, N} <- lists:zip([1, 2, 3, 4], Nodes)],
    [P ! {members, Members} || {_, P} <- Members],
    io:format("leader ~p~n", [agreed(4, 4)]),
    slave:stop(lists:nth(4, Nodes)),
    io:format("leader ~p~n", [agreed(3, 3)]),
    slave:stop(lists:nth(3, Nodes)),
    io:format("leader ~p~n", [agreed(2, 2)]),
    exit(element(2, lists:nth(2, Members)), kill),
    io:format("leader ~p~n", [agreed(1, 1)]),
    io:format("~p~n", [length(nodes())]),
    [slave:stop(N) || N <- Nodes],
    io:format("~p~n", [nodes()]).

agreed(Leader, 0) -> Leader;
agreed(Leader, N) ->
    receive {leader, Leader, _} -> agreed(Leader, N - 1)
    after 5000 -> {disagreed, Leader, N}
    end.

member(I, Boss) -> receive {members, Ms} -> elect(I, Boss, Ms) end.

elect(I, Boss, Ms) ->
    Higher = [{J, P, monitor(process, P)} || {J, P} <- Ms, J > I],
    [P ! {election, self(), R} || {_, P, R} <- Higher],
    case answers(Higher) of
        none -> lead(I, Boss, Ms);
        Alive -> follow(I, Boss, Ms, Alive)
    end.

answers([]) -> none;
answers([{_, P, R} = H | Rest]) ->
    receive
        {alive, R} -> [H | [M || {_, _, R1} = M <- Rest, begin demonitor(R1, [flush]), false end orelse M =:= none]];
        {'DOWN', R, process, P, _} -> answers(Rest)
    after 3000 -> exit(no_answer)
    end.

lead(I, Boss, Ms) ->
    [P ! {coordinator, I, self()} || {J, P} <- Ms, J < I],
    Boss ! {leader, I, self()},
    serve().

serve() -> receive {election, From, R} -> From ! {alive, R}, serve(); {ping, F, R} -> F ! {pong, R}, serve() end.

follow(I, Boss, Ms, [{_, H, R}]) ->
    receive
        {coordinator, L, Pid} ->
            demonitor(R, [flush]),
            Boss ! {leader, L, self()},
            M = monitor(process, Pid),
            watch(I, Boss, Ms, L, M);
        {election, From, R1} -> From ! {alive, R1}, follow(I, Boss, Ms, [{x, H, R}]);
        {'DOWN', R, _, _, _} -> elect(I, Boss, Ms)
    after 5000 -> exit(leaderless)
    end.

watch(I, Boss, Ms, L, M) ->
    receive
        {'DOWN', M, _, _, _} -> elect(I, Boss, [{J, P} || {J, P} <- Ms, J < L]);
        {election, From, R1} -> From ! {alive, R1}, watch(I, Boss, Ms, L, M)
    end.
