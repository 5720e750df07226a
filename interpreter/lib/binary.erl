%% The module `binary`: all of it is native.
-module(binary).
