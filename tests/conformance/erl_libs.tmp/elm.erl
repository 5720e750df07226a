-module(elm).
-export([f/0]).
f() -> node().
