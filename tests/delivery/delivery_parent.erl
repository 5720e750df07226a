%% A spawns the process that sends m1, then sends m2.
%% causal: [m1,m2] [m2,m1]
%% free: [m1,m2] [m2,m1]
-module(delivery_parent).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    spawn(fun() -> spawn(fun() -> pause(), C ! m1 end), pause(), C ! m2 end),
    all(2).
