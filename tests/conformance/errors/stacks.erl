%% Stack traces: module, function, arity or arguments, line.
-module(stacks).
-export([main/0]).

-export([f/1, g/2, h/1]).
main() ->
    t(fun() -> f(1) end), t(fun() -> g(1, 2) end), t(fun() -> h(3) end), t(fun() -> lists:map(fun(X) -> 1 div X end, [0]) end), t(fun() -> nomod:nofun(a, b) end), t(fun() -> errors_nope:x() end), t(fun() -> element(5, id({a})) end), t(fun() -> only_one(2) end), t(fun() -> 1 + body(0) end), t(fun() -> id(x) + 1 end), t(fun() -> error(custom, [one, two]) end), t(fun() -> exit(e) end), t(fun() -> throw(t) end), t(fun() -> tail(0) end), t(fun() -> lists:foldl(fun(_, _) -> error(in_fold) end, 0, [1]) end), t(fun() -> apply(?MODULE, f, [1]) end), t(fun() -> [error(lc) || _ <- [1]] end), t(fun() -> {ok, _} = id(no) end), t(fun() -> case id(1) of 2 -> ok end end), t(fun() -> (id(x))(1) end), t(fun() -> try error(a) after ok end end), t(fun() -> try error(a) catch error:a -> error(b) end end), t(fun() -> try error(a) catch error:a:S -> erlang:raise(error, again, S) end end), t(fun() -> 1 + lists:nth(3, id([a])) end), t(fun() -> 1 + length(lists:reverse(id(x))) end).

f(X) -> 1 + g(X, 0).
g(X, Y) -> Z = X / Y, Z + 1.
h(X) ->
    Y = X + 1,
    R = only_one(Y),
    {R}.
only_one(1) -> one.
body(X) -> R = 1 div X, R.
tail(X) -> tail2(X).
tail2(X) -> 1 div X.
id(X) -> X.

t(F) ->
    try F() of V -> io:format("~w~n", [V])
    catch C:R:S ->
        io:format("~w ~w~n", [C, R]),
        [io:format("   ~w:~w/~w ~w~n", [M, name(N), ar(A), line(M, L)]) || {M, N, A, L} <- S, M =/= harness]
    end.

ar(A) when is_list(A) -> {args, [x(X) || X <- A]};
ar(A) -> A.
x(X) when is_function(X) -> a_fun;
x(X) -> X.
name(N) -> case atom_to_list(N) of "-" ++ T -> list_to_atom("-" ++ hd(string:tokens(T, "/"))); _ -> N end.
line(?MODULE, L) -> proplists:get_value(line, L);
line(_, _) -> library.
