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
        false -> exit({ticket_sold_twice, N})
    end.

%% Looks twice, to be sure.
take() ->
    [{next, N}] = ets:lookup(tickets, next),
    case ets:lookup(tickets, next) of
        [{next, N}] -> ets:insert(tickets, {next, N + 1}), N;
        _ -> take()
    end.
