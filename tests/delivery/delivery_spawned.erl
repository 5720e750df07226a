%% A sends m1, then spawns the process that sends m2.
%% causal: [m1,m2]
%% free: [m1,m2] [m2,m1]
-module(delivery_spawned).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    spawn(fun() -> pause(), C ! m1, spawn(fun() -> pause(), C ! m2 end) end),
    all(2).
