%% The module `math`: all of it is native.
-module(math).
