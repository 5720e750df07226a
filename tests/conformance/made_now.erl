-module(made_now).
-export([f/0]).
f() -> made.
