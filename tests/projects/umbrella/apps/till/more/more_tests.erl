%% In a folder of `extra_src_dirs`: rebar3 compiles it, and does not run its tests.
-module(more_tests).
-include_lib("eunit/include/eunit.hrl").
not_run_test() -> error(not_run).
