%% Transfers between accounts: one ledger does them one by one.
-module(bank).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Ledger} = gen_server:start_link(?MODULE, #{a => 100, b => 0, c => 0}, []),
    Me = self(),
    Jobs = [{a, b, 70}, {a, c, 60}, {b, c, 10}],
    [spawn_link(fun() -> Me ! {result, gen_server:call(Ledger, {transfer, J})} end) || J <- Jobs],
    Results = [receive {result, R} -> R end || _ <- Jobs],
    Balances = maps:values(gen_server:call(Ledger, balances)),
    io:format("~p ~p~n", [lists:sort(Results), Balances]),
    audit(Balances),
    gen_server:stop(Ledger).

audit(Balances) ->
    100 = lists:sum(Balances),
    case [N || N <- Balances, N < 0] of
        [] -> ok;
        Negative -> error({overdrawn, Negative})
    end.

init(M) -> {ok, M}.
handle_call(balances, _, M) -> {reply, M, M};
handle_call({transfer, {From, To, N}}, _, M) ->
    case M of
        #{From := X, To := Y} when X >= N -> {reply, ok, M#{From := X - N, To := Y + N}};
        _ -> {reply, refused, M}
    end.
handle_cast(_, M) -> {noreply, M}.
