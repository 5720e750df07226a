%% Eight processes that share a table of 1,000 keys; the argument is how many rounds each makes.
-module(table).
-export([main/0, main/1]).

main() -> main(["10000"]).

main([N]) ->
    Table = ets:new(table, [public]),
    Me = self(),
    Workers = [spawn(fun() -> work(Table, Seed, list_to_integer(N)), Me ! {done, self()} end) || Seed <- lists:seq(1, 8)],
    [receive {done, Worker} -> ok end || Worker <- Workers],
    io:format("~w~n", [ets:info(Table, size)]).

work(_, _, 0) -> ok;
work(Table, X, N) ->
    Y = (X * 1103515245 + 12345) band 16#7fffffff,
    Key = (Y bsr 8) rem 1000,
    case N rem 4 of
        0 -> ets:insert(Table, {Key, N});
        1 -> ets:update_counter(Table, Key, 1, {Key, 0});
        _ -> ets:lookup(Table, Key)
    end,
    work(Table, Y, N - 1).
