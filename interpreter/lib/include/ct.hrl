%% The macros of Common Test that suites use.
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

-define(CT_PEER_NAME(TestCase), test_server:peer_name(?MODULE_STRING, TestCase)).
-define(CT_PEER_NAME(), ?CT_PEER_NAME(?FUNCTION_NAME)).

-define(CT_PEER(Opts), test_server:start_peer(Opts, ?MODULE, ?FUNCTION_NAME)).
-define(CT_PEER(), ?CT_PEER([])).
-define(CT_PEER(Opts, Release, PrivDir), test_server:start_peer(Opts, ?MODULE, ?FUNCTION_NAME, Release, PrivDir)).

-define(config, test_server:lookup_config).
