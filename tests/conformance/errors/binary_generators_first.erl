%% A bad generator of a binary comprehension fails in the function of the comprehension.
-module(binary_generators_first).
-export([main/0, a/1, b/1, c/1, d/1, e/1, f/1, g/1, h/1, i/1, j/1, k/1, l/1, m/1, n/1, o/1, p/1, q/1, r/1, s/1, t/1]).
main() -> [show(F, X) || F <- [a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t], X <- [1, foo, [1], {}]], ok.
show(Fn, X) -> try ?MODULE:Fn(X) of V -> io:format("~p ~p~n", [Fn, V]) catch C:R:S -> io:format("~0p ~0p ~0p ~0p~n", [Fn, C, R, [{F,A} || {binary_generators_first,F,A,_} <- S]]) end.
a(X) -> << <<Y>> || <<Y>> <= X >>.
b(X) -> << <<Y>> || <<Y:4>> <= X >>.
c(X) -> << <<Y:16>> || <<Y:16>> <= X >>.
d(X) -> << <<1>> || <<_>> <= X >>.
e(X) -> << <<Y,Z>> || <<Y,Z>> <= X >>.
f(X) -> << <<Y>> || <<Y:8,_:8>> <= X >>.
g(X) -> << <<Y>> || <<Y/float>> <= X >>.
h(X) -> << <<Y/binary>> || <<Y:2/binary>> <= X >>.
i(X) -> << <<Y:2/binary>> || <<Y:2/binary>> <= X >>.
j(X) -> << <<Y/utf8>> || <<Y/utf8>> <= X >>.
k(X) -> Z = << <<Y>> || <<Y>> <= X >>, {Z}.
l(X) -> Z = << <<Y:8>> || <<Y:9>> <= X >>, {Z}.
m(X) -> Z = << <<Y:8, W>> || <<Y:9, W>> <= X >>, {Z}.
n(X) -> << <<Y>> || <<Y>> <= id(X) >>.
o(X) -> V = id(X), << <<Y>> || <<Y>> <= V >>.
p(X) -> F = id(fun() -> << <<Y>> || <<Y>> <= X >> end), F().
q(_) -> F = id(fun(X) -> << <<Y>> || <<Y>> <= X >> end), F(foo).
r(X) -> {V} = id({X}), << <<Y>> || <<Y>> <= V >>.
s(X) -> Z = << <<Y:8>> || <<Y:9>> <= id(X) >>, {Z}.
t(X) -> << <<Y>> || <<Y>> <= lists:last([X]) >>.
id(X) -> X.
