%% A sends m1 and ends; who gets its 'DOWN' sends m2.
%% causal: [m1,m2]
%% free: [m1,m2] [m2,m1]
-module(delivery_ended).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    spawn(fun() ->
        {A, M} = spawn_monitor(fun() -> pause(), C ! m1 end),
        receive {'DOWN', M, process, A, _} -> C ! m2 end
    end),
    all(2).
