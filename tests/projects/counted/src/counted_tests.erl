-module(counted_tests).
-include_lib("eunit/include/eunit.hrl").
kind_test() -> source = counted:kind().
