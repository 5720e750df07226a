-module(en_a).
-export([f/0]).
f() -> en_a.
