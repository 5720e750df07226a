-module(counted).
-export([kind/0]).
kind() -> source.
