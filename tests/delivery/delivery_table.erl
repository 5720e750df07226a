%% A sends m1, then writes into a table; who sees the write sends after that.
%% causal: [m1,seen] [m1,none] [none,m1]
%% free: [m1,seen] [m1,none] [none,m1] [seen,m1]
-module(delivery_table).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    T = ets:new(t, [public]),
    spawn(fun() -> pause(), C ! m1, ets:insert(T, {k, 1}) end),
    spawn(fun() -> pause(), pause(), C ! case ets:lookup(T, k) of [] -> none; _ -> seen end end),
    all(2).
