%% A server sends m1 and then its answer; the client then sends m2.
%% causal: [m1,m2]
%% free: [m1,m2] [m2,m1]
-module(delivery_answer).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    Server = spawn(fun() -> receive {call, From} -> pause(), C ! m1, From ! answer end end),
    spawn(fun() -> Server ! {call, self()}, receive answer -> C ! m2 end end),
    all(2).
