%% The module `unicode`: all of it is native.
-module(unicode).
