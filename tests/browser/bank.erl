-module(bank).
-export([main/0, main/1]).
%% Clients deposit on four shards through four routers; a read and a write are two messages, so deposits get lost: bank:main(CLIENTS, ROUNDS).
main() -> main(["96","4"]).
main([C0, R0]) ->
    C1 = list_to_integer(C0), R = list_to_integer(R0),
    Main = self(),
    Shards = [spawn(fun() -> shard(N, 0) end) || N <- [1, 2, 3, 4]],
    Routers = [spawn(fun() -> router(S) end) || S <- Shards],
    [spawn(fun() -> client(C, Routers, R), Main ! {done, C} end) || C <- lists:seq(1, C1)],
    [receive {done, C} -> ok end || C <- lists:seq(1, C1)],
    Total = lists:sum([ask(S) || S <- Shards]),
    io:format("total ~p~n", [Total]),
    case Total of
        X when X =:= C1 * R -> ok;
        Other -> error({deposits_lost, C1 * R - Other})
    end.
ask(S) -> S ! {get, self()}, receive {balance, S, B} -> B end.
shard(N, Balance) ->
    receive
        {get, From} -> From ! {balance, self(), Balance}, shard(N, Balance);
        {put, New} -> shard(N, New)
    end.
router(Shard) -> receive {where, From} -> From ! {shard, Shard}, router(Shard) end.
client(_, _, 0) -> ok;
client(C, Routers, N) ->
    R = lists:nth((C + N) rem 4 + 1, Routers),
    R ! {where, self()},
    receive {shard, S} ->
        B = ask(S),
        S ! {put, B + 1},
        client(C, Routers, N - 1)
    end.
