%% Long operator chains, long lists, wide tuples, deep nesting in source.
-module(long_chains).
-export([main/0]).

-define(TEN(X), X, X, X, X, X, X, X, X, X, X).
-define(SUM(X), X + X + X + X + X + X + X + X + X + X).
-define(NEST(X), {{{{{{{{{{X}}}}}}}}}}).
main() ->
    p(length([?TEN(1), ?TEN(2), ?TEN(3)])), p(?SUM(?SUM(1))), p(?SUM((?SUM((?SUM(1)))))), p(tuple_size({?TEN(a), ?TEN(b)})),
    p(?NEST(?NEST(?NEST(x)))), p(1 - 1 - 1 - 1 - 1 - 1 - 1), p("a" ++ "b" ++ "c" ++ "d" ++ [$e] ++ []), p(((((((((((1))))))))))), p([[[[[[[[[[[[x]]]]]]]]]]]]),
    p(true andalso true andalso true andalso false andalso error(no)), p(if true, true, true -> a; false; true -> b end), p(- - - - 5), p(not not true), p(1 + 2 * 3 + 4 * 5 - 6 div 2 rem 2 bsl 1).
p(X) -> io:format("~w~n", [X]).
