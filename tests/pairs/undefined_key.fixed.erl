%% A key is asked for before it is stored.
-module(undefined_key).
-export([main/0]).

main() ->
    Main = self(),
    Store = spawn(fun() -> store(#{}) end),
    spawn(fun() -> Store ! {put, k, 1} end),
    spawn(fun() -> Store ! {get, k, Main} end),
    receive {value, _} -> ok end.

store(M) ->
    receive
        {put, K, V} -> store(M#{K => V});
        {get, K, From} -> From ! {value, maps:get(K, M, none)}, store(M)
    end.
