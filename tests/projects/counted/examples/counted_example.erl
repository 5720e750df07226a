-module(counted_example).
-include_lib("eunit/include/eunit.hrl").
not_run_test() -> error(not_run).
