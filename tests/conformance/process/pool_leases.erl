%% A pool of workers with leases: holders that crash, time out or return late; waiting callers are served in order.
-module(pool_leases).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Pool = spawn_link(fun() -> pool_init(3) end),
    register(pool, Pool),
    Rs = [spawn_monitor(fun() -> client(N) end) || N <- lists:seq(1, 12)],
    Ends = [receive {'DOWN', R, process, P, W} -> W end || {P, R} <- Rs],
    io:format("~p~n", [lists:sort(Ends)]),
    pool ! {stats, self()},
    receive {stats, S} -> io:format("~p~n", [S]) after 1000 -> io:format("no stats~n") end,
    exit(Pool, shutdown),
    receive {'EXIT', Pool, Why} -> io:format("~p ~p~n", [Why, whereis(pool)]) end.

client(N) ->
    case checkout(1000) of
        {ok, W} when N rem 4 =:= 0 -> W ! {work, self(), N}, exit({crashed_with, N});
        {ok, W} ->
            R = monitor(process, W),
            W ! {work, self(), N},
            receive
                {done, W, X} -> demonitor(R, [flush]), pool ! {return, W, self()}, exit({ok, X});
                {'DOWN', R, _, _, Y} -> exit({lost, N, Y})
            after 2000 -> exit(stuck)
            end;
        timeout -> exit({timeout, N})
    end.

checkout(T) ->
    Ref = monitor(process, pool, [{alias, reply_demonitor}]),
    pool ! {checkout, Ref, self()},
    receive
        {Ref, W} -> {ok, W};
        {'DOWN', Ref, _, _, R} -> exit(R)
    after T ->
        demonitor(Ref, [flush]), unalias(Ref),
        receive {Ref, W} -> {ok, W} after 0 -> timeout end
    end.

pool_init(N) ->
    process_flag(trap_exit, true),
    pool([spawn_link(fun worker/0) || _ <- lists:seq(1, N)], #{}, queue:new(), #{leases => 0, back => 0, died => 0}).

worker() -> receive {work, _, N} when N rem 6 =:= 5 -> exit(sick); {work, C, N} -> C ! {done, self(), N * N}, worker() end.

pool(Free, Busy, Waiting, S) ->
    receive
        {checkout, Ref, Pid} when Free =/= [] ->
            [W | Rest] = Free,
            M = monitor(process, Pid),
            Ref ! {Ref, W},
            pool(Rest, Busy#{M => {W, Pid}}, Waiting, up(leases, S));
        {checkout, Ref, Pid} -> pool(Free, Busy, queue:in({Ref, Pid}, Waiting), S);
        {return, W, Pid} ->
            case [M || {M, {W1, P1}} <- maps:to_list(Busy), W1 =:= W, P1 =:= Pid] of
                [M] -> demonitor(M, [flush]), give(W, Free, maps:remove(M, Busy), Waiting, up(back, S));
                [] -> pool(Free, Busy, Waiting, S)
            end;
        {'DOWN', M, process, _, _} when is_map_key(M, Busy) ->
            {W, _} = maps:get(M, Busy),
            give(W, Free, maps:remove(M, Busy), Waiting, S);
        {'EXIT', W, sick} ->
            New = spawn_link(fun worker/0),
            Busy1 = maps:map(fun(_, {W1, P}) when W1 =:= W -> {New, P}; (_, V) -> V end, Busy),
            case lists:member(W, Free) of
                true -> pool([New | lists:delete(W, Free)], Busy1, Waiting, up(died, S));
                false -> pool(Free, Busy1, Waiting, up(died, S))
            end;
        {'EXIT', _, shutdown} -> exit(shutdown);
        {stats, From} when map_size(Busy) =:= 0 -> From ! {stats, {lists:sort(maps:to_list(S)), length(Free), queue:len(Waiting)}}, pool(Free, Busy, Waiting, S)
    end.

give(W, Free, Busy, Waiting, S) ->
    case queue:out(Waiting) of
        {empty, _} -> pool([W | Free], Busy, Waiting, S);
        {{value, {Ref, Pid}}, Rest} ->
            M = monitor(process, Pid),
            Ref ! {Ref, W},
            pool(Free, Busy#{M => {W, Pid}}, Rest, up(leases, S))
    end.

up(K, S) -> maps:update_with(K, fun(N) -> N + 1 end, S).
