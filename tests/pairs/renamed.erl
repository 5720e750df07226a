%% The answers of two servers are mixed up. In the fix functions have other names and stand in another order.
-module(renamed).
-export([main/0]).

main() ->
    A = spawn(fun() -> server(1) end),
    B = spawn(fun() -> server(2) end),
    A ! {ask, self()},
    B ! {ask, self()},
    First = answer(),
    Second = answer(),
    {1, 2} = {First, Second},
    ok.

server(N) -> receive {ask, From} -> From ! {answer, N} end.

answer() -> receive {answer, N} -> N end.
