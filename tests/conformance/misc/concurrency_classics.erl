-module(concurrency_classics).
-export([main/0, fork/1]).
fork(avail) -> receive {get, P} -> P ! {fork, self()}, fork({taken, P}) end;
fork({taken, P}) -> receive {put, P} -> fork(avail) end.
phil(N, _, _, 0, M) -> M ! {done, N};
phil(N, L, R, K, M) -> [F1, F2] = if N =:= 5 -> [R, L]; true -> [L, R] end, F1 ! {get, self()}, receive {fork, F1} -> ok end, F2 ! {get, self()}, receive {fork, F2} -> ok end, M ! {ate, N}, F1 ! {put, self()}, F2 ! {put, self()}, phil(N, L, R, K - 1, M).
barber(Max) -> receive {cust, C} -> C ! cut, barber(Max); close -> ok end.
buf(Q, Max) -> receive {put, X, F} when length(Q) < Max -> F ! ok, buf(Q ++ [X], Max); {get, F} when Q =/= [] -> F ! {item, hd(Q)}, buf(tl(Q), Max) end.
elect(Ids) -> S = self(), Ps = [spawn(fun() -> node_loop(I, S) end) || I <- Ids], [P ! {next, N} || {P, N} <- lists:zip(Ps, tl(Ps) ++ [hd(Ps)])], hd(Ps) ! start, receive {leader, L} -> L end.
node_loop(I, S) -> receive {next, N} -> node_loop(I, N, S) end.
node_loop(I, N, S) -> receive start -> N ! {elect, I}, node_loop(I, N, S); {elect, I} -> S ! {leader, I}; {elect, J} when J > I -> N ! {elect, J}, node_loop(I, N, S); {elect, _} -> N ! {elect, I}, node_loop(I, N, S) end.
tpc(Votes) -> Ps = [spawn(fun() -> part(V) end) || V <- Votes], [P ! {prepare, self()} || P <- Ps], Rs = [receive {vote, P, V} -> V end || P <- Ps], D = case lists:all(fun(V) -> V =:= yes end, Rs) of true -> commit; false -> abort end, [P ! {D, self()} || P <- Ps], [receive {ack, P, S} -> S end || P <- Ps].
part(V) -> receive {prepare, C} -> C ! {vote, self(), V}, receive {commit, C} -> C ! {ack, self(), committed}; {abort, C} -> C ! {ack, self(), aborted} end end.
pmap(F, L) -> S = self(), [receive {P, R} -> R end || P <- [spawn(fun() -> S ! {self(), (catch F(X))} end) || X <- L]].
mr(Docs) -> S = self(), Ms = [spawn(fun() -> S ! {self(), [{W, 1} || W <- string:lexemes(D, " ")]} end) || D <- Docs], All = lists:append([receive {M, L} -> L end || M <- Ms]), Gs = maps:groups_from_list(fun({W, _}) -> W end, fun({_, N}) -> N end, All), Rs = [spawn(fun() -> S ! {self(), {W, lists:sum(Ns)}} end) || {W, Ns} <- maps:to_list(Gs)], [receive {R, X} -> X end || R <- Rs].
stm() -> spawn(fun() -> stm(#{}) end).
stm(M) -> receive {read, K, F} -> F ! maps:get(K, M, {undefined, 0}), stm(M); {commit, Ws, F} -> case lists:all(fun({K, _, V}) -> element(2, maps:get(K, M, {undefined, 0})) =:= V end, Ws) of true -> F ! ok, stm(lists:foldl(fun({K, X, V}, A) -> A#{K => {X, V + 1}} end, M, Ws)); false -> F ! conflict, stm(M) end end.
main() ->
    Fs = [spawn(?MODULE, fork, [avail]) || _ <- lists:seq(1, 5)], S = self(),
    [spawn(fun() -> phil(I, lists:nth(I, Fs), lists:nth(I rem 5 + 1, Fs), 3, S) end) || I <- lists:seq(1, 5)],
    Ate = (fun G(5, A) -> A; G(D, A) -> receive {ate, N} -> G(D, [N | A]); {done, _} -> G(D + 1, A) end end)(0, []),
    io:format("~p~n", [[length([x || X <- Ate, X =:= I]) || I <- lists:seq(1, 5)]]),
    B = spawn(fun() -> barber(3) end), [B ! {cust, self()} || _ <- [1, 2, 3]], [receive cut -> io:format("cut~n") end || _ <- [1, 2, 3]], B ! close,
    Bf = spawn(fun() -> buf([], 2) end), spawn(fun() -> [begin Bf ! {put, I, self()}, receive ok -> ok end end || I <- lists:seq(1, 6)] end), io:format("~p~n", [[begin Bf ! {get, self()}, receive {item, X} -> X end end || _ <- lists:seq(1, 6)]]),
    io:format("~p ~p~n", [elect([3, 7, 2, 9, 4]), elect([1])]), io:format("~p ~p~n", [tpc([yes, yes]), tpc([yes, no, yes])]),
    io:format("~p~n", [pmap(fun(X) -> 10 div X end, [1, 2, 5])]), io:format("~p~n", [lists:sort(mr(["a b a", "b c", "a"]))]),
    T = stm(), T ! {read, x, self()}, {V, Ver} = receive Y -> Y end, T ! {commit, [{x, 1, Ver}], self()}, receive C1 -> ok end, T ! {commit, [{x, 2, Ver}], self()}, receive C2 -> ok end, io:format("~p ~p ~p~n", [V, C1, C2]).
