%% The module `math`: almost all of it is native.
-module(math).
-export([tau/0]).

tau() -> 6.283185307179586.
