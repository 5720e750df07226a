%% Type tests by their old names.
-module(old_guards).
-export([main/0]).
-record(r, {a}).
g(X) when list(X) -> list; g(X) when atom(X), X =/= a -> atom; g(X) when integer(X); float(X) -> number; g(X) when record(X, r) -> record; g(X) when tuple(X) -> tuple; g(X) when binary(X) -> binary; g(X) when function(X) -> function; g(X) when pid(X) -> pid; g(_) -> other.
main() -> io:format("~p~n", [[g(X) || X <- [[], b, a, 1, 2.0, {}, #r{}, <<>>, fun() -> ok end, self(), #{}, make_ref(), {r, 1, 2}]]]).
