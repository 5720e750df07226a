%% Adds amounts to a ledger. Two that add at the same time can lose one: each reads, and then writes.
-module(till).
-export([open/0, add/2, total/1, currency/0, seal/2]).

open() -> ledger:new().

add(Ledger, Amount) ->
    Total = ledger:read(Ledger, total),
    ledger:write(Ledger, total, Total + Amount).

total(Ledger) -> ledger:read(Ledger, total).

currency() -> ?currency.

%% What is kept of a day, under a key.
seal(Key, Text) -> crypto:crypto_one_time(aes_256_ctr, crypto:hash(sha3_256, Key), <<0:128>>, Text, true).

-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").

currency_test() -> ?assertEqual({"EUR", 25}, {currency(), ?release}).
-endif.
