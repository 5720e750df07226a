%% A sends m1 and ends; who sees that its name is free sends after that.
%% causal: [m1,gone] [m1,alive] [alive,m1]
%% free: [m1,gone] [m1,alive] [alive,m1] [gone,m1]
-module(delivery_before_gone).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    A = spawn(fun() -> register(delivery_name, self()), C ! ready, receive go -> pause(), C ! m1 end end),
    receive ready -> ok end,
    A ! go,
    spawn(fun() -> pause(), pause(), C ! case whereis(delivery_name) of undefined -> gone; _ -> alive end end),
    all(2).
