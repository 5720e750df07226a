-module(counted_unit).
-include_lib("eunit/include/eunit.hrl").
f_test() -> ok.
