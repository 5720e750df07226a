%% As chain, by a registered name.
%% causal: [m1,m2]
%% free: [m1,m2] [m2,m1]
-module(delivery_named).
-export([main/0]).
-include("pause.hrl").

main() ->
    register(delivery_main, self()),
    B = spawn(fun() -> receive go -> pause(), delivery_main ! m2 end end),
    spawn(fun() -> pause(), delivery_main ! m1, B ! go end),
    Got = all(2),
    unregister(delivery_main),
    Got.
