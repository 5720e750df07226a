%% The macros of Common Test that suites use. ?CT_PEER is missing: nodes are started with `peer`.
-define(MIN_IMPORTANCE, 0).
-define(LOW_IMPORTANCE, 25).
-define(STD_IMPORTANCE, 50).
-define(HI_IMPORTANCE, 75).
-define(MAX_IMPORTANCE, 99).

-define(MIN_VERBOSITY, 0).
-define(LOW_VERBOSITY, 25).
-define(STD_VERBOSITY, 50).
-define(HI_VERBOSITY, 75).
-define(MAX_VERBOSITY, 100).

-define(config, test_server:lookup_config).
