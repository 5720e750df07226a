-module(fi).
-export([f/0]).
f() -> 1.
