-module(merged_funs).
-export([main/0]).
fail(X) -> throw(X).
fail2(X) -> fail(X), ok.
loop(N) -> receive after 1 -> ok end, case N of 0 -> error(stop); _ -> loop(N - 1) end.
t1() -> Y = fail(1), Y + 1.
t2() -> fail2(2), ok.
t3() -> loop(2), ok.
t4() -> try fail(1) catch throw:foo -> ok end, ok.
t5() -> [fail(X) || X <- [1]].
t6() -> X = (fun() -> error(a) end)(), {X}.
t7() -> F = fun() -> error(a) end, F(), ok.
t8() -> {fail(1)}.
t9() -> (catch 1), exit(x), ok.
t10() -> case id(1) of 1 -> fail(1); 2 -> error(x) end, ok.
t11() -> case id(1) of 1 -> fail(1); 2 -> ok end, ok.
t12() -> t10(), ok.
t13() -> halt_(1), ok.
t14() -> F = fun(X) -> X + 1 end, F(id(a)), ok.
t15() -> ((fun(X) -> X + id(1) end)(id(a))), ok.
t16() -> Z = id(a), Y = ((fun(X) -> X + id(1) end)(Z)), {Y}.
t17() -> Z = id(a), Y = ((fun(1) -> id(1) end)(Z)), {Y}.
t18() -> Z = id(a), ((fun(X) -> X + id(1) end)(Z)).
t19() -> Z = id(a), [((fun(X) -> X + id(1) end)(Z)) || _ <- [1]].
t20() -> Z = id(a), ((fun(X, [B]) -> X + B end)(Z, [id(1)])).
halt_(X) -> throw(X), 2.
id(X) -> X.
main() -> [try apply(F, []) catch C:R:S -> io:format("~p ~0p~n", [I, {C,R,[{G,A,case L of [_,{line,Ln}|_] -> Ln; _ -> L end} || {_,G,A,L} <- S]}]) end || {I,F} <- lists:enumerate([fun t1/0,fun t2/0,fun t3/0,fun t4/0,fun t5/0,fun t6/0,fun t7/0,fun t8/0,fun t9/0,fun t10/0,fun t11/0,fun t12/0,fun t13/0,fun t14/0,fun t15/0,fun t16/0,fun t17/0,fun t18/0,fun t19/0,fun t20/0])].
