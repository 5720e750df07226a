%% Calls whose module, function or arguments are computed.
-module(dynamic_calls).
-export([main/0]).

-export([f/0, f/1, f/2]).

main() ->
    M = dynamic_calls, F = f,
    p(M:F()), p(M:F(1)), p(dynamic_calls:F(1, 2)), p(M:f(x)),
    p(apply(M, F, [])), p(apply(M, f, [a, b])),
    p((fun dynamic_calls:f/1)(z)),
    p(erlang:apply(fun(X) -> {fn, X} end, [1])),
    L = [lists, string],
    p([X:module_info(module) || X <- L]),
    p([erlang:Op(6, 3) || Op <- ['+', '-', '*', '/', 'div', 'rem', '<', '>', '=:=', 'band']]),
    p(try M:nope(1) catch C:R -> {C, R} end),
    p(try nomodule:nope() catch C1:R1 -> {C1, R1} end),
    p(try (id(1)):f() catch C2:R2 -> {C2, R2} end),
    p(try apply(M, f, id(notalist)) catch C3:R3 -> {C3, R3} end),
    p(try apply(M, f, [1 | 2]) catch C4:R4 -> {C4, R4} end),
    p(erlang:function_exported(M, f, 2)), p(erlang:function_exported(M, f, 9)).

f() -> zero.
f(X) -> {one, X}.
f(X, Y) -> {two, X, Y}.

id(X) -> X.

p(X) -> io:format("~w~n", [X]).
