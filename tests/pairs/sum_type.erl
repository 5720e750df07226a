%% A value of another type comes first.
-module(sum_type).
-export([main/0]).

main() ->
    Main = self(),
    Acc = spawn(fun() -> acc(Main, 0, 3) end),
    spawn(fun() -> Acc ! {add, 1} end),
    spawn(fun() -> Acc ! {add, none} end),
    spawn(fun() -> Acc ! {add, 2} end),
    receive {sum, 3} -> ok end.

acc(Main, S, 0) -> Main ! {sum, S};
acc(Main, S, N) -> receive {add, X} when S < 3 -> acc(Main, S + X, N - 1); {add, _} -> acc(Main, S, N - 1) end.
