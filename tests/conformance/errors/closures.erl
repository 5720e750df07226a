-module(closures).
-export([main/0,id/1,ap/2]).
id(X) -> X.
ap(F, X) -> {F(X)}.
t1(V) -> ?MODULE:ap(fun(1) -> V end, 2).
t2(V) -> ?MODULE:ap(fun(1) when V > 3 -> ok end, 2).
t3(V) -> ?MODULE:ap(fun(1) -> id(V); (3) -> ok end, 2).
t4(V) -> X = ?MODULE:ap(fun(1) -> id(V); (3) -> ok end, 2), {X}.
t5(V) -> X = ?MODULE:ap(fun F(1) -> id(V); F(3) -> ok end, 2), {X}.
t6(V) -> X = ?MODULE:ap(fun F(1) -> id(V); F(3) -> F(1) end, 2), {X}.
t7(V) -> X = ?MODULE:ap(fun(1) -> ok end, V), {X}.
t8(V) -> lists:map(fun(1) -> V end, [2]).
t9(V) -> A = lists:map(fun(1) -> ok end, [V]), B = lists:map(fun(x) -> V end, A), {A,B}.
t10(_) -> W = 1, ?MODULE:ap(fun(1) -> W; (5) -> error(W) end, 2).
t11(_) -> W = "abc", ?MODULE:ap(fun(1) -> W; (2) -> error(W) end, 2).
t12(_) -> W = id(1), U = W, ?MODULE:ap(fun(1) -> W; (2) -> error({W,U}) end, 2).
t13(V) -> W = {V, 1}, ?MODULE:ap(fun(1) -> W; (2) -> error(element(1,W)) end, 2).
t14(V) -> [error(V) || _ <- [1], V > 1].
t15(V) -> W = 5, [error(W) || _ <- [V]].
t16(V) -> A = V + 100000, B = A + 5000000000, [A, B].
t17(V) -> id(a) + V.
t18(V) -> id(a) + 100000.
t19(V) -> id(a) - 5000000000.
t20(V) -> 100000 + id(a).
main() -> [try F(1) catch C:R:S -> io:format("~p ~0p~n", [I, {C,clean(R),[{G,A,case L of [_,{line,Ln}|_] -> Ln; _ -> L end} || {closures,G,A,L} <- S]}]) end || {I,F} <- lists:zip(lists:seq(1,20), [fun t1/1,fun t2/1,fun t3/1,fun t4/1,fun t5/1,fun t6/1,fun t7/1,fun t8/1,fun t9/1,fun t10/1,fun t11/1,fun t12/1,fun t13/1,fun t14/1,fun t15/1,fun t16/1,fun t17/1,fun t18/1,fun t19/1,fun t20/1])].
clean(R) -> R.
