-module(@MOD@).
%% Sums the lines of an invoice; each line is read by a process of its own (after ferd/vmstats #17, helium/miner #1442).
-export([main/0]).
-define(LOAD, @LOAD@).

main() ->
    Ledger = spawn_link(fun() -> ledger(#{}) end),
    Clerk = spawn_link(fun() -> clerk(0) end),
    import(Ledger, petty_cash, [<<"stamps;", (integer_to_binary(N))/binary>> || N <- lists:seq(1, ?LOAD)]),
    Others = [spawn_monitor(fun() -> stamp(Clerk, 2 * ?LOAD) end) || _ <- [monday, tuesday]],
    import(Ledger, invoice_17, [<<"chairs;400">>, <<"table;1 250">>, <<"lamps;90">>]),
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Others],
    stamp(Clerk, ?LOAD),
    check(Ledger, invoice_17, 1740).

check(Ledger, Account, Expected) ->
    case balance(Ledger, Account) of
        Expected -> ok;
        Sum -> error({invoice_mismatch, Account, [{expected, Expected}, {sum, Sum}]})
    end.

import(Ledger, Account, Lines) ->
    Readers = [spawn_monitor(fun() -> read_line(Ledger, Account, Line) end) || Line <- Lines],
    [receive {'DOWN', Ref, process, Pid, normal} -> ok end || {Pid, Ref} <- Readers],
    ok.

read_line(Ledger, Account, Line) ->
    [Item, Field] = binary:split(Line, <<";">>),
    Ledger ! {book, self(), Account, Item, amount(Field)},
    receive {booked, Item} -> ok end.

%% Empty fields count as nothing.
amount(Field) ->
    try
        binary_to_integer(Field)
    catch
        _:_ -> 0
    end.

balance(Ledger, Account) ->
    Ledger ! {balance, self(), Account},
    receive {balance, Account, Sum} -> Sum end.

ledger(Accounts) ->
    receive
        {book, From, Account, Item, Amount} ->
            From ! {booked, Item},
            Sum = maps:get(Account, Accounts, 0),
            ledger(Accounts#{Account => Sum + Amount});
        {balance, From, Account} ->
            From ! {balance, Account, maps:get(Account, Accounts, 0)},
            ledger(Accounts)
    end.

stamp(_Clerk, 0) -> ok;
stamp(Clerk, N) ->
    Clerk ! {stamp, self(), N},
    receive {stamped, N} -> ok end,
    stamp(Clerk, N - 1).

clerk(Stamps) ->
    receive {stamp, From, N} -> From ! {stamped, N}, clerk(Stamps + 1) end.
