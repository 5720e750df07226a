%% Parallel map with links, references and order.
-module(pmap).
-export([main/0]).

main() ->
    io:format("~p~n", [pmap(fun(X) -> X * X end, lists:seq(1, 50))]), io:format("~p~n", [catch_exit(fun() -> pmap(fun(X) -> 10 div X end, [1, 0]) end)]).
pmap(F, L) -> Me = self(), Rs = [begin R = make_ref(), spawn_monitor(fun() -> Me ! {R, F(X)} end), R end || X <- L], [receive {R, V} -> V after 50 -> failed end || R <- Rs].
catch_exit(F) -> try F() catch exit:R -> R end.
