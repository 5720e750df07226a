-module(ledger).
-export([new/0, read/2, write/3, kept/0, name/0]).
-include("ledger.hrl").

new() -> ets:new(ledger, [public, {keypos, #entry.key}]).

read(Ledger, Key) ->
    case ets:lookup(Ledger, Key) of
        [#entry{amount = Amount}] -> Amount;
        [] -> 0
    end.

write(Ledger, Key, Amount) -> ets:insert(Ledger, #entry{key = Key, amount = Amount}).

kept() -> ?kept.

name() ->
    {ok, Name} = file:read_file(filename:join(code:priv_dir(ledger), "name.txt")),
    string:trim(Name).
