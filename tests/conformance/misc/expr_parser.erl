%% A scanner, a parser by recursive descent and an evaluator, with its errors.
-module(expr_parser).
-export([main/0]).
-define(IS_DIGIT(C), (C >= $0 andalso C =< $9)).
lex([]) -> []; lex([C|T]) when C =:= $\s; C =:= $\t -> lex(T);
lex([C|_] = S) when ?IS_DIGIT(C) -> {N, R} = lists:splitwith(fun(X) -> ?IS_DIGIT(X) orelse X =:= $. end, S), [case lists:member($., N) of true -> {num, list_to_float(N)}; false -> {num, list_to_integer(N)} end | lex(R)];
lex([C|T]) when C >= $a, C =< $z -> {N, R} = lists:splitwith(fun(X) -> X >= $a andalso X =< $z end, [C|T]), [{id, list_to_atom(N)} | lex(R)];
lex([C|T]) -> case lists:member(C, "+-*/()^=,") of true -> [{op, C} | lex(T)]; false -> error({illegal, [C]}) end.
expr(T0) -> {L, T} = term(T0), expr1(L, T).
expr1(L, [{op, O}|T]) when O =:= $+; O =:= $- -> {R, T1} = term(T), expr1({O, L, R}, T1); expr1(L, T) -> {L, T}.
term(T0) -> {L, T} = factor(T0), term1(L, T).
term1(L, [{op, O}|T]) when O =:= $*; O =:= $/ -> {R, T1} = factor(T), term1({O, L, R}, T1); term1(L, T) -> {L, T}.
factor([{op, $-}|T]) -> {E, T1} = factor(T), {{neg, E}, T1};
factor(T0) -> case atom(T0) of {B, [{op, $^}|T]} -> {E, T1} = factor(T), {{$^, B, E}, T1}; R -> R end.
atom([{num, N}|T]) -> {N, T}; atom([{id, F}, {op, $(}|T]) -> {E, [{op, $)}|T1]} = expr(T), {{call, F, E}, T1};
atom([{id, V}|T]) -> {{var, V}, T}; atom([{op, $(}|T]) -> case expr(T) of {E, [{op, $)}|T1]} -> {E, T1}; {_, Rest} -> throw({expected, ")", Rest}) end;
atom(T) -> throw({unexpected, T}).
eval(N, _) when is_number(N) -> N; eval({var, V}, Env) -> maps:get(V, Env); eval({neg, E}, Env) -> -eval(E, Env);
eval({call, F, E}, Env) -> math:F(eval(E, Env)); eval({$^, B, E}, Env) -> math:pow(eval(B, Env), eval(E, Env));
eval({O, A, B}, Env) -> X = eval(A, Env), Y = eval(B, Env), case O of $+ -> X + Y; $- -> X - Y; $* -> X * Y; $/ -> X / Y end.
main() -> [io:format("~-22s ~p~n", [S, try {A, []} = expr(lex(S)), {A, eval(A, #{x => 3, pi => math:pi()})} catch C:R -> {C, R} end]) || S <- ["1 + 2 * 3", "(1 + 2) * 3", "-x ^ 2", "10 / 4", "1 / 0", "sin(pi)", "sqrt(2)", "foo(1)", "y + 1", "(1", "1 +", "1 2", "a $ b", "2 ^ 3 ^ 2", "1.5e", "123456789012345678901234567890 * 10", "2.5 * 2.5", "log(0 - 1)"]].
