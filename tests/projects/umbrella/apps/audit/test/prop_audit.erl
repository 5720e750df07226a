-module(prop_audit).
-compile({parse_transform, ledger_check}).
-export([prop_count/0]).

prop_count() -> true.
