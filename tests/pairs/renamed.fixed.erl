%% The answers of two servers are mixed up. In the fix functions have other names and stand in another order.
-module(renamed).
-export([main/0]).

wait_for(N) ->
    receive {answer, N} -> N end.

serve_once(N) ->
    receive
        {ask, From} -> From ! {answer, N}
    end.

main() ->
    A = spawn(fun() -> serve_once(1) end),
    B = spawn(fun() -> serve_once(2) end),
    A ! {ask, self()},
    B ! {ask, self()},
    {1, 2} = {wait_for(1), wait_for(2)},
    ok.
