-module(two_modules_lib).
-export([hello/1, call_back/1, ask/0, make/1]).

hello(X) -> {hello, X}.
call_back(F) -> [F(X) || X <- [1, 2, 3]].
ask() -> two_modules:answer() + 1.
make(N) -> fun(X) -> {N, X, private()} end.
private() -> hidden.
