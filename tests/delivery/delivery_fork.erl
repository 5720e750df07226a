%% A tells B first, and then sends m1: nothing orders m1 and m2.
%% causal: [m1,m2] [m2,m1]
%% free: [m1,m2] [m2,m1]
-module(delivery_fork).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    B = spawn(fun() -> receive go -> pause(), C ! m2 end end),
    spawn(fun() -> pause(), B ! go, pause(), C ! m1 end),
    all(2).
