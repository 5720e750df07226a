%% A hand-written server: calls with references, timeouts, code in state, crash and restart.
-module(server_loop).
-export([main/0]).

main() ->
    start(), p(call({put, a, 1})), p(call({put, b, 2})), p(call({get, a})), p(call({get, z})), p(call(all)), p(call({update, a, fun(V) -> V + 10 end})), p(call(crash)), timer:sleep(5), p(whereis(kv)), start(), p(call(all)), kv ! stop, timer:sleep(5), p(whereis(kv)).
start() -> register(kv, spawn(fun() -> loop(#{}) end)).
call(R) -> case whereis(kv) of undefined -> down; P -> M = monitor(process, P), P ! {self(), M, R}, receive {M, A} -> demonitor(M, [flush]), A; {'DOWN', M, _, _, {W, _}} -> {crashed, W}; {'DOWN', M, _, _, W} -> {crashed, W} after 500 -> timeout end end.
loop(S) -> receive {F, R, {put, K, V}} -> F ! {R, ok}, loop(S#{K => V}); {F, R, {get, K}} -> F ! {R, maps:find(K, S)}, loop(S); {F, R, all} -> F ! {R, maps:to_list(S)}, loop(S); {F, R, {update, K, Fun}} -> #{K := V} = S, F ! {R, Fun(V)}, loop(S#{K := Fun(V)}); {_, _, crash} -> error(asked_to); stop -> ok end.
p(X) -> io:format("~w~n", [X]).
