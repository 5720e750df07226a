-module(all_kinds).
-export([main/0, f/1, g/2, h/0, dup/0, node/0, i/1, j/1, k/1, l/1, m/1, n/0, o/1, p/1, q/0, r/0, s/1, t/1, u/0, v/1, w/0, x/1, y/1, z/0]).
-export([main/0]).
-import(lists, [map/2, foldl/3]).
-record(unused_rec, {a, b}).
-record(used, {a}).
-type unused_t() :: integer().
-spec nospec(integer()) -> integer().
-define(UNUSED, 1).
main() -> io:format("~p ~p~n", [1]), io:format("~s", 1), io:format("~q", []), io:format("~p", [1, 2]), ok.
f(X) -> Y = 1, X.
g(A, A2) -> {A, A2}, ok.
h() -> [1, 2], "str", 5, atom, 1.5, <<1>>, #{a => 1}, fun() -> 1 end, ok.
dup() -> case 1 of 1 -> a; 1 -> b; _ -> c end.
node() -> ok.
i(X) when is_atom(X), X > 1 -> a; i(_) -> b; i(X) -> X.
j(X) -> case X of {a, Y} -> Y; _ -> Y = 2 end, Y.
k(X) -> case X of 1 -> Z = 1; 2 -> Z = 2 end, Z.
l(X) -> F = fun(X) -> X end, F(X).
m(X) -> [X || X <- [1, 2]].
n() -> erlang:now().
o(X) when list(X) -> ok; o(X) when is_integer(X) -> length(X).
p(X) -> 1 + a, X.
q() -> catch foo(), unused_fun(1).
r() -> erlang:get_stacktrace().
s(X) -> if X == 1 -> ok; true -> no; X > 7 -> 5 end.
t({X, X}) -> ok; t(_X) -> _X.
u() -> A = 1, B = A.
v(X) -> X#used.a.
w() -> receive after 0 -> ok end, exit(1), never.
x(X) -> is_atom(X) and true, X + 1, X == 2, not X, ok.
y(X) -> [], {}, X, self(), length(X), element(1, X), ok.
z() -> crypto:rand_bytes(3), string:to_lower("A"), random:uniform(), gen_fsm:start(a, b, c), erlang:hash(1, 2).
nospec(X) -> X.
unused_fun(X) -> X.
unused2() -> unused3().
unused3() -> unused2().
foo() -> ok.
