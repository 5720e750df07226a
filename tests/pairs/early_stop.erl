%% A server stops before the last job has come, and does not hand out what was left.
-module(early_stop).
-export([main/0]).

main() ->
    Main = self(),
    Server = spawn(fun() -> server(Main, 0) end),
    [spawn(fun() -> Server ! {job, N}, Main ! {sent, N} end) || N <- [1, 2, 3]],
    receive {sent, 1} -> ok end,
    Server ! stop,
    receive {sum, 6} -> ok; {sum, Other} -> error({wrong_sum, Other}) end.

server(Main, Sum) ->
    receive
        {job, N} -> server(Main, Sum + N);
        stop -> Main ! {sum, Sum}
    end.
