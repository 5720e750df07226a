%% As many workers as there are jobs; one of them fails on its job. Nobody watches them, so the collector waits for ever.
%% Cause: the worker of job 3 died of badarith (division by zero) before it sent its result.
-module(gather).
-export([main/0]).

main() ->
    Collector = self(),
    Jobs = [{1, 10}, {2, 5}, {3, 0}, {4, 2}],
    Reporter = spawn(fun() -> reporter(Collector, length(Jobs), []) end),
    [spawn(fun() -> work(Reporter, Id, N) end) || {Id, N} <- Jobs],
    receive
        {all, Results} -> io:format("~p~n", [Results])
    end.

work(Reporter, Id, N) ->
    timer:sleep(Id),
    Reporter ! {result, Id, 100 div N}.

reporter(Collector, 0, Acc) -> Collector ! {all, lists:sort(Acc)};
reporter(Collector, Left, Acc) ->
    receive
        {result, Id, V} -> reporter(Collector, Left - 1, [{Id, V} | Acc])
    end.
