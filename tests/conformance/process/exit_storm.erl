%% Storms of exit signals: rings of links that fall, trapping islands, kills that cross, signals sent by the dying.
-module(exit_storm).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Me = self(),
    %% A ring of 20 falls when one member does; islands that trap live on and say who hit them.
    Ring = ring(20, Me),
    lists:nth(7, Ring) ! {die, boom},
    Reports = [receive {island, I, From, R} -> {I, lists:member(From, Ring), R} after 2000 -> late end || _ <- lists:seq(1, 3)],
    io:format("~p~n", [lists:sort(Reports)]),
    io:format("~p~n", [[is_process_alive(P) || P <- Ring]]),
    [exit(P, kill) || P <- Ring],
    %% Two that kill each other.
    [begin
         A = spawn(fun() -> receive {peer, P} -> exit(P, kill), exit(done) end end),
         B = spawn(fun() -> receive {peer, P} -> exit(P, kill), exit(done) end end),
         Ra = monitor(process, A), Rb = monitor(process, B),
         A ! {peer, B}, B ! {peer, A},
         Ends = lists:sort([receive {'DOWN', R, _, _, W} -> W end || R <- [Ra, Rb]]),
         lists:member(Ends, [[done, done], [done, killed], [killed, killed]]) orelse io:format("~p~n", [Ends])
     end || _ <- lists:seq(1, 10)],
    %% normal does not kill, but to oneself it does; a kill through a link is `killed`.
    C = spawn_link(fun() -> D = spawn_link(fun() -> receive after infinity -> ok end end), Me ! {d, D}, receive after infinity -> ok end end),
    D = receive {d, D0} -> D0 end,
    exit(C, normal), exit(D, normal),
    io:format("~p~n", [{is_process_alive(C), is_process_alive(D)}]),
    exit(D, kill),
    receive {'EXIT', C, W1} -> io:format("~p~n", [W1]) end,
    {E, Re} = spawn_monitor(fun() -> exit(self(), normal), survived end),
    receive {'DOWN', Re, _, E, W2} -> io:format("~p~n", [W2]) end,
    %% An exit signal overtaken by nothing: messages before it arrive.
    F = spawn_link(fun() -> [Me ! {n, N} || N <- lists:seq(1, 50)], exit(finished) end),
    io:format("~p~n", [drain(F, 0)]),
    %% Links made to the dying.
    Gs = [spawn(fun() -> timer:sleep(N rem 3), exit(g) end) || N <- lists:seq(1, 15)],
    io:format("~p~n", [lists:usort([begin link(G), receive {'EXIT', G, W} -> lists:member(W, [g, noproc]) end end || G <- Gs])]).

drain(F, N) -> receive {n, K} when K =:= N + 1 -> drain(F, K); {'EXIT', F, W} -> {N, W} end.

ring(N, Me) ->
    Ps = [spawn(fun() -> receive {next, P} -> link(P) end, Me ! linked, member(I, Me) end) || I <- lists:seq(1, N)],
    [P ! {next, Q} || {P, Q} <- lists:zip(Ps, tl(Ps) ++ [hd(Ps)])],
    [receive linked -> ok end || _ <- Ps],
    %% Two groups of islands cut the ring.
    [begin P ! {trap, Me}, receive trapping -> ok end end || {I, P} <- lists:zip(lists:seq(1, N), Ps), lists:member(I, [3, 4, 12, 13])],
    Ps.

member(I, Me) ->
    receive
        {die, R} -> Me ! {island, I, self(), dies}, exit(R);
        {trap, Me} -> process_flag(trap_exit, true), Me ! trapping, member(I, Me);
        {'EXIT', From, R} -> Me ! {island, I, From, R}, member(I, Me)
    end.
