%% What was evaluated before an error stays visible.
-module(evaluation).
-export([main/0]).

main() ->
    t(fun() -> {p(1), p(2) + id(a), p(3)} end),
    t(fun() -> [p(1), error(stop), p(2)] end),
    t(fun() -> f(p(1), error(arg), p(3)) end),
    t(fun() -> apply(p(nomod), p(f), [p(1)]) end),
    t(fun() -> (p(notfun))(p(arg)) end),
    t(fun() -> p(1) + p(a) + p(3) end),
    t(fun() -> p(x) andalso p(y) end),
    t(fun() -> p(false) and p(notbool) end),
    t(fun() -> #{p(k) => p(v), p(error(k2)) => p(v2)} end),
    t(fun() -> X = p(1), {X, X} = p({1, 2}), p(never) end),
    t(fun() -> [p(X) || X <- [1, 2, 3], X < 3 orelse error(three)] end),
    t(fun() -> p(self()) ! p(error(nomsg)) end),
    t(fun() -> case p(1) of 1 when 1 / 0 > 1 -> p(no); _ -> p(fallback) end end),
    t(fun() -> try p(1), throw(p(2)), p(3) catch T -> p({caught, T}) after p(after_it) end end).

f(_, _, _) -> ok.
id(X) -> X.
p(X) when is_pid(X) -> io:format("pid "), X;
p(X) -> io:format("~w ", [X]), X.
t(F) -> try F(), io:format("ok~n") catch C:R -> io:format("~w ~w~n", [C, R]) end.
