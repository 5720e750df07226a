%% The answer to the first question is taken for the answer to the second.
-module(stale_answer).
-export([main/0]).

main() ->
    Main = self(),
    S1 = spawn(fun() -> receive {q, N, F} -> F ! {a, N} end end),
    S2 = spawn(fun() -> receive {q, N, F} -> F ! {a, N} end end),
    S1 ! {q, 1, Main},
    S2 ! {q, 2, Main},
    receive {a, 1} -> receive {a, 2} -> ok end; {a, Other} -> exit({stale, Other}) end.
