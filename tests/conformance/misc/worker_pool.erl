-module(worker_pool).
-export([main/0]).
%% worker pool with monitors and retries; LRU cache; rate limiter
pool(N, F) -> S = self(), spawn_link(fun() -> Ws = [start_w(F) || _ <- lists:seq(1, N)], S ! ready, pool_loop(F, Ws, #{}, queue:new(), 0) end).
start_w(F) -> M = self(), element(1, spawn_monitor(fun() -> wloop(M, F) end)).
wloop(M, F) -> receive {job, J} -> M ! {done, self(), J, F(J)}, wloop(M, F) end.
pool_loop(F, Idle, Busy, Q, Fails) ->
    receive
        {submit, J, From} when Idle =:= [] -> pool_loop(F, Idle, Busy, queue:in({J, From}, Q), Fails);
        {submit, J, From} -> [W | T] = Idle, W ! {job, J}, pool_loop(F, T, Busy#{W => {J, From}}, Q, Fails);
        {done, W, J, R} -> {{J, From}, B} = maps:take(W, Busy), From ! {result, J, R}, next(F, [W | Idle], B, Q, Fails);
        {'DOWN', _, process, W, Why} -> {{J, From}, B} = maps:take(W, Busy), {E, _} = Why, From ! {failed, J, E}, next(F, [start_w(F) | Idle], B, Q, Fails + 1);
        {stats, From} -> From ! {stats, length(Idle), maps:size(Busy), queue:len(Q), Fails}, pool_loop(F, Idle, Busy, Q, Fails)
    end.
next(F, [W | T] = Idle, B, Q, Fails) -> case queue:out(Q) of {{value, {J, From}}, Q2} -> W ! {job, J}, pool_loop(F, T, B#{W => {J, From}}, Q2, Fails); {empty, _} -> pool_loop(F, Idle, B, Q, Fails) end.
new(N) -> {N, #{}, 0, gb_trees:empty()}.
lget(K, {N, M, T, G}) -> case M of #{K := {V, Old}} -> {V, {N, M#{K := {V, T + 1}}, T + 1, gb_trees:insert(T + 1, K, gb_trees:delete(Old, G))}}; _ -> {none, {N, M, T, G}} end.
lput(K, V, {N, M, T, G}) -> case M of #{K := {_, Old}} -> {N, M#{K := {V, T + 1}}, T + 1, gb_trees:insert(T + 1, K, gb_trees:delete(Old, G))}; _ when map_size(M) < N -> {N, M#{K => {V, T + 1}}, T + 1, gb_trees:insert(T + 1, K, G)}; _ -> {_, Ev, G2} = gb_trees:take_smallest(G), {N, maps:remove(Ev, M#{K => {V, T + 1}}), T + 1, gb_trees:insert(T + 1, K, G2)} end.
main() ->
    logger:set_primary_config(level, none),
    P = pool(3, fun(J) when J rem 4 =:= 0 -> error({bad_job, J}); (J) -> J * J end), receive ready -> ok end,
    [P ! {submit, J, self()} || J <- lists:seq(1, 10)],
    R = [receive {result, J, V} -> {J, V}; {failed, J, E} -> {J, failed, E} end || J <- lists:seq(1, 10)], io:format("~p~n", [R]),
    P ! {stats, self()}, receive S -> io:format("~p~n", [S]) end,
    C0 = new(2), C1 = lput(a, 1, C0), C2 = lput(b, 2, C1), {1, C3} = lget(a, C2), C4 = lput(c, 3, C3), io:format("~p ~p~n", [element(1, lget(b, C4)), element(1, lget(a, C4))]), io:format("~p~n", [C4]),
    L = spawn(fun() -> bucket(3, 3) end), io:format("~p~n", [[begin L ! {take, self()}, receive X -> X end end || _ <- lists:seq(1, 5)]]), L ! refill, L ! {take, self()}, receive Y -> io:format("~p~n", [Y]) end.
bucket(T, Max) -> receive {take, F} when T > 0 -> F ! {ok, T - 1}, bucket(T - 1, Max); {take, F} -> F ! limited, bucket(T, Max); refill -> bucket(Max, Max) end.
