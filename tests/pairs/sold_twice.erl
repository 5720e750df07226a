-module(sold_twice).
-export([main/0, worker/2]).

main() ->
    ets:new(tickets, [named_table, public]),
    ets:insert(tickets, {next, 1}),
    Ws = [spawn_monitor(?MODULE, worker, [N, 3]) || N <- [a, b]],
    [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- Ws],
    ok.

worker(_, 0) -> ok;
worker(Name, K) ->
    N = take(),
    case ets:insert_new(tickets, {N, Name}) of
        true -> worker(Name, K - 1);
        false -> error({ticket_sold_twice, N})
    end.

take() ->
    [{next, N}] = ets:lookup(tickets, next),
    ets:insert(tickets, {next, N + 1}),
    N.
