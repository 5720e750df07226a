%% Results of two workers are taken for those of the first and the second. The fix collects them in a process of its own.
-module(extra_process).
-export([main/0]).

main() ->
    Me = self(),
    spawn(fun() -> Me ! {result, 1} end),
    spawn(fun() -> Me ! {result, 2} end),
    A = receive {result, X} -> X end,
    B = receive {result, Y} -> Y end,
    [1, 2] = [A, B],
    ok.
