%% A queue of jobs with retries, timers and small idioms.
-module(job_queue).
-export([main/0]).
-record(job, {id, f, tries = 0, max = 3}).
start(N) -> spawn_link(fun() -> process_flag(trap_exit, true), loop(queue:new(), #{}, N, [], none) end).
loop(Q, Running, N, Done, Waiter) when map_size(Running) < N ->
    case queue:out(Q) of
        {{value, #job{f = F, tries = T} = J}, Q1} -> Pid = spawn_link(fun() -> exit({result, F(T)}) end), loop(Q1, Running#{Pid => J#job{tries = T + 1}}, N, Done, Waiter);
        {empty, _} when map_size(Running) =:= 0, Waiter =/= none -> Waiter ! {results, lists:sort(Done)};
        {empty, _} -> wait(Q, Running, N, Done, Waiter)
    end;
loop(Q, R, N, D, W) -> wait(Q, R, N, D, W).
wait(Q, Running, N, Done, Waiter) ->
    receive
        {add, Id, F} -> loop(queue:in(#job{id = Id, f = F}, Q), Running, N, Done, Waiter);
        {await, From} -> loop(Q, Running, N, Done, From);
        {'EXIT', Pid, {result, V}} -> {J, R} = maps:take(Pid, Running), loop(Q, R, N, [{J#job.id, ok, V, J#job.tries} | Done], Waiter);
        {'EXIT', Pid, Why} when is_map_key(Pid, Running) -> {#job{tries = T, max = M} = J, R} = maps:take(Pid, Running),
            Reason = case Why of {E, [{_, _, _, _} | _]} -> E; _ -> Why end,
            if T < M -> loop(queue:in_r(J, Q), R, N, Done, Waiter); true -> loop(Q, R, N, [{J#job.id, failed, Reason, T} | Done], Waiter) end
    end.
main() ->
    P = start(2),
    P ! {add, 1, fun(_) -> lists:sum(lists:seq(1, 100)) end}, P ! {add, 2, fun(T) when T < 2 -> exit(flaky); (T) -> {third, T} end},
    P ! {add, 3, fun(_) -> exit(always) end}, P ! {add, 4, fun(_) -> timer:sleep(10), slow end}, P ! {add, 5, fun(_) -> exit(kill) end},
    P ! {await, self()}, receive {results, R} -> [io:format("~p~n", [X]) || X <- R] after 1000 -> io:format("timeout~n") end,
    Limit = 3, {Oks, _} = lists:mapfoldl(fun(I, {Tokens, Last}) -> case {Tokens + (I - Last) div 4, I} of {0, _} -> {{I, deny}, {0, Last}}; {T, _} -> {{I, allow}, {min(Limit, T) - 1, I}} end end, {Limit, 0}, [1,1,1,1,2,5,9,9,30]), io:format("~p~n", [Oks]),
    T0 = timer:send_interval(10, tick), timer:sleep(35), {ok, TR} = T0, timer:cancel(TR), io:format("~p~n", [length(flush()) >= 2]),
    {ok, TA} = timer:apply_after(5, io, format, ["applied~n"]), timer:sleep(15), io:format("~p~n", [element(1, timer:cancel(TA))]),
    io:format("~p~n", [element(2, timer:tc(fun() -> x end))]), put(k, v), io:format("~p ~p ~p~n", [get(k), erase(k), get()]),
    Pid = spawn(fun F() -> receive {ping, From} -> From ! pong, F() end end), Pid ! {ping, self()}, receive pong -> io:format("pong~n") end, exit(Pid, kill),
    io:format("~p~n", [[{X, Y} || X <- lists:seq(1, 4), X rem 2 =:= 0, Y <- "ab"]]), io:format("~p~n", [<< <<(X * 2)>> || <<X>> <= <<1,2,3>> >>]), io:format("~w~n", [[X || {ok, X} <- [{ok, 1}, error, {ok, 2}]]]).
flush() -> receive M -> [M | flush()] after 0 -> [] end.
