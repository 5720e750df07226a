-module(counted_deep_tests).
-include_lib("eunit/include/eunit.hrl").
f_test() -> source = counted_deep:f().
