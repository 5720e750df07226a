%% Destinations of timers: pids, names, names on nodes, and what is none.
-module(timer_destinations).
-export([main/0]).
p(X) -> io:format("~p~n", [X]).
some(0) -> [];
some(N) -> receive M -> [M | some(N - 1)] after 300 -> [none] end.
drain() -> receive _ -> drain() after 50 -> ok end.
shape({ok, {K, R}}) when is_reference(R) -> {ok, K};
shape(X) -> X.
main() ->
    register(me, self()),
    Each = [self(), me, {me, node()}, nobody, {nobody, node()}, "text", {1, 2}, {me}, {me, node(), x}, undefined],
    lists:foreach(fun(Dest) ->
        Shown = if is_pid(Dest) -> pid; true -> Dest end,
        [begin
            R = (catch timer:send_interval(T, Dest, {int, T})),
            p({interval, Shown, T, case R of {'EXIT', {W, _}} -> W; _ -> shape(R) end}),
            if T > 0 -> p(some(2)); true -> ok end,
            case R of {ok, Ref} -> p(timer:cancel(Ref)), drain(); _ -> ok end
         end || T <- [5, -1, 1.5, x]],
        [begin
            R = (catch timer:send_after(T, Dest, {aft, T})),
            p({'after', Shown, T, case R of {'EXIT', {W, _}} -> W; _ -> shape(R) end}),
            p(some(1))
         end || T <- [5, 0]]
    end, Each),
    %% Ends with the process.
    {Pid, M} = spawn_monitor(fun() -> register(short, self()), timer:send_interval(5, {short, node()}, tick), receive tick -> receive tick -> ok end end end),
    receive {'DOWN', M, _, Pid, Why} -> p(Why) end,
    timer:sleep(30),
    Late = spawn(fun L() -> receive stop -> ok; _ -> L() end end),
    register(late, Late),
    [begin p(shape(timer:exit_after(5, D, bye))), timer:sleep(40), p(is_process_alive(Late)) end || D <- [{late, node()}, nobody, late]],
    p(shape(timer:kill_after(5, {nobody, node()}))),
    p(shape(timer:apply_interval(5, erlang, send, [me, x]))), p(some(2)),
    ok.
