%% pg groups and global names with members that come, go and die; process_info polled meanwhile.
-module(groups_names).
-export([main/0]).

main() ->
    {ok, Scope} = pg:start_link(teams),
    Me = self(),
    Ps = [spawn(fun() -> ok = pg:join(teams, team(N), self()), ok = pg:join(teams, all, self()), Me ! {joined, N}, member() end) || N <- lists:seq(1, 6)],
    [receive {joined, N} -> ok end || N <- lists:seq(1, 6)],
    io:format("~p ~p~n", [lists:sort(pg:which_groups(teams)), [length(pg:get_members(teams, G)) || G <- [all, even, odd]]]),
    [M ! {add, 1} || M <- pg:get_members(teams, odd)],
    io:format("~p~n", [lists:sort([ask(P) || P <- Ps])]),
    exit(hd(Ps), kill),
    wait_until(fun() -> length(pg:get_members(teams, all)) =:= 5 end),
    ok = pg:leave(teams, even, lists:nth(2, Ps)),
    io:format("~p ~p~n", [pg:leave(teams, even, hd(Ps)), [length(pg:get_local_members(teams, G)) || G <- [all, even, odd, none]]]),
    Racers = [spawn_monitor(fun() -> R = global:register_name(king, self()), Me ! {tried, self()}, receive go -> exit({king, R}) end end) || _ <- lists:seq(1, 5)],
    [receive {tried, P} -> ok end || {P, _} <- Racers],
    io:format("~p~n", [is_pid(global:whereis_name(king))]),
    [P ! go || {P, _} <- Racers],
    io:format("~p~n", [lists:sort([receive {'DOWN', R, _, _, W} -> W end || {_, R} <- Racers])]),
    wait_until(fun() -> global:whereis_name(king) =:= undefined end),
    yes = global:register_name(lock_holder, self()),
    io:format("~p ~p~n", [global:register_name(lock_holder, hd(tl(Ps))), global:registered_names()]),
    global:unregister_name(lock_holder),
    io:format("~p~n", [global:trans({resource, self()}, fun() -> inside end)]),
    %% A worker is polled until it waits with an empty queue.
    W = spawn(fun() -> [receive {work, N} -> lists:sum(lists:seq(1, N * 50)) end || N <- lists:seq(1, 20)], receive stop -> ok end end),
    [W ! {work, N} || N <- lists:seq(20, 1, -1)],
    wait_until(fun() -> process_info(W, [message_queue_len, status]) =:= [{message_queue_len, 0}, {status, waiting}] end),
    io:format("~p~n", [process_info(W, messages)]),
    W ! stop,
    wait_until(fun() -> process_info(W) =:= undefined end),
    [P ! stop || P <- Ps],
    wait_until(fun() -> pg:which_groups(teams) =:= [] end),
    unlink(Scope), gen_server:stop(Scope),
    io:format("~p~n", [whereis(teams)]).

team(N) -> case N rem 2 of 0 -> even; 1 -> odd end.
member() -> member(0).
member(S) -> receive {add, N} -> member(S + N); {sum, F, R} -> F ! {R, S}, member(S); stop -> ok end.
ask(P) -> R = make_ref(), P ! {sum, self(), R}, receive {R, S} -> S after 1000 -> dead end.
wait_until(F) -> case F() of true -> ok; false -> timer:sleep(1), wait_until(F) end.
