-module(nca).
-export([f/0]).
f() -> 5.
