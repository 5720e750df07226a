%% The old catch.
-module(catch_expr).
-export([main/0]).

main() ->
    p(catch 1 + 1),
    p(catch throw(ball)),
    p(catch exit(reason)),
    {'EXIT', {foo, Stack}} = (catch error(foo)),
    p(is_list(Stack)),
    {'EXIT', {badarith, [{M, F, A, _} | _]}} = (catch id(1) / 0),
    p({M, F, A}),
    X = (catch throw(1)) + 1,
    p(X),
    p([catch throw(E) || E <- [a, b]]),
    p(catch {throw(first), throw(second)}),
    case catch throw(z) of z -> p(matched); _ -> p(not_matched) end,
    p(catch begin 1, throw(mid), 2 end),
    Y = begin catch throw(w) end,
    p(Y).

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
