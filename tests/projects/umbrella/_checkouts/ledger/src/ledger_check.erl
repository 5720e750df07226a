%% A transform that changes nothing. It is not run here: transforms of programs are not supported yet.
-module(ledger_check).
-export([parse_transform/2]).

parse_transform(Forms, _) -> Forms.
