%% A sends m1 to the main process, then a message to B, which sends m2.
%% causal: [m1,m2]
%% free: [m1,m2] [m2,m1]
-module(delivery_chain).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    B = spawn(fun() -> receive go -> pause(), C ! m2 end end),
    spawn(fun() -> pause(), C ! m1, B ! go end),
    all(2).
