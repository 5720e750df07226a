%% A reader expects the lines of two writers in the order of their names.
-module(log_order).
-export([main/0]).

main() ->
    Main = self(),
    Log = spawn(fun() -> log([]) end),
    [spawn(fun() -> Log ! {line, W, self()}, receive ok -> Main ! wrote end end) || W <- [a, b]],
    [receive wrote -> ok end || _ <- [a, b]],
    Log ! {read, self()},
    receive {lines, [a, b]} -> ok; {lines, Ls} -> error({order, Ls}) end.

log(Ls) ->
    receive
        {line, W, P} -> P ! ok, log(Ls ++ [W]);
        {read, P} -> P ! {lines, Ls}
    end.
