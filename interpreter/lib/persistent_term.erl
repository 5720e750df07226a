%% The module `persistent_term`: all of it is native.
-module(persistent_term).
