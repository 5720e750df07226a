-module(mm).
-export([f/0]).
f() -> 1.
