-module(counted_deep).
-export([f/0]).
f() -> counted:kind().
