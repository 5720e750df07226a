%% Results of two workers are taken for those of the first and the second. The fix collects them in a process of its own.
-module(extra_process).
-export([main/0]).

main() ->
    Me = self(),
    spawn(fun() -> Me ! {result, 1} end),
    spawn(fun() -> Me ! {result, 2} end),
    Collector = spawn(fun() -> collect(Me, []) end),
    Collector ! receive {result, X} -> {result, X} end,
    Collector ! receive {result, Y} -> {result, Y} end,
    receive {sorted, [1, 2]} -> ok end.

collect(To, Results) when length(Results) =:= 2 -> To ! {sorted, lists:sort(Results)};
collect(To, Results) -> receive {result, X} -> collect(To, [X | Results]) end.
