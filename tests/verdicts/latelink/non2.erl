%% spawn, then link: if the child has ended by then the link kills the parent.
-module(latelink).
-export([main/0]).

main() ->
    {Pid, Ref} = spawn_monitor(fun() -> boss(3) end),
    receive
        {'DOWN', Ref, process, Pid, normal} -> io:format("ok~n");
        {'DOWN', Ref, process, Pid, Why} -> exit({boss_died, Why})
    end.

boss(N) ->
    Self = self(),
    Kids = [spawn(fun() -> Self ! {self(), I * I} end) || I <- lists:seq(1, N)],
    [link(K) || K <- lists:reverse(Kids)],
    [receive {K, V} -> V end || K <- Kids].
