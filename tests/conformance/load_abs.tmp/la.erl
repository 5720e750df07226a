-module(la).
-export([f/0]).
f() -> la.
