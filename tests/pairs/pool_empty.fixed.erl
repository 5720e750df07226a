%% A pool hands out a worker that it does not have.
-module(pool_empty).
-export([main/0]).

main() ->
    Main = self(),
    Pool = spawn(fun() -> pool([w1]) end),
    [spawn(fun() -> Pool ! {take, self()}, receive {worker, W} -> Pool ! {give, W}, Main ! done end end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ok.

pool([]) ->
    receive {give, W} -> pool([W]) end;
pool(Ws) ->
    receive
        {take, P} -> [W | Rest] = Ws, P ! {worker, W}, pool(Rest);
        {give, W} -> pool([W | Ws])
    end.
