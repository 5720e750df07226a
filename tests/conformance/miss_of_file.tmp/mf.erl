-module(mf).
-export([f/0]).
f() -> found.
