%% Three processes hold one lock each and want the next one's. The fix: the third asks in the other order.
-module(deadlock_three).
-export([main/0]).

main() ->
    [L1, L2, L3] = [spawn(fun free/0) || _ <- [1, 2, 3]],
    Me = self(),
    Work = fun(A, B) -> spawn(fun() -> take(A), take(B), give(B), give(A), Me ! done end) end,
    Work(L1, L2),
    Work(L2, L3),
    Work(L1, L3),
    [receive done -> ok end || _ <- [1, 2, 3]],
    [L ! stop || L <- [L1, L2, L3]],
    ok.

take(Lock) -> Lock ! {take, self()}, receive {taken, Lock} -> ok end.
give(Lock) -> Lock ! {give, self()}.

free() ->
    receive
        {take, From} -> From ! {taken, self()}, held(From);
        stop -> ok
    end.

held(By) -> receive {give, By} -> free() end.
