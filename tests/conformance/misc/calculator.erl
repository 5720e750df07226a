%% A scanner, parser and evaluator of expressions.
-module(calculator).
-export([main/0]).

main() ->
    [io:format("~s = ~p~n", [S, try eval(parse(scan(S))) catch C:R -> {C, R} end]) || S <- ["1+2*3", "(1+2)*3", "10/4", "2-3-4", "-(3+4)", "1/0", "2*(3+(4-1))", "1+", "abc"]].
scan([]) -> [];
scan([C | T]) when C =:= $\s -> scan(T);
scan([C | _] = S) when C >= $0, C =< $9 -> {D, R} = lists:splitwith(fun(X) -> X >= $0 andalso X =< $9 end, S), [{num, list_to_integer(D)} | scan(R)];
scan([C | T]) -> case lists:member(C, "+-*/()") of true -> [list_to_atom([C]) | scan(T)]; false -> throw({bad_char, [C]}) end.
parse(Ts) -> case expr(Ts) of {E, []} -> E; {_, R} -> throw({rest, R}) end.
expr(Ts) -> {T, R} = term(Ts), expr_rest(T, R).
expr_rest(L, [Op | R]) when Op =:= '+'; Op =:= '-' -> {T, R2} = term(R), expr_rest({Op, L, T}, R2);
expr_rest(L, R) -> {L, R}.
term(Ts) -> {F, R} = factor(Ts), term_rest(F, R).
term_rest(L, [Op | R]) when Op =:= '*'; Op =:= '/' -> {F, R2} = factor(R), term_rest({Op, L, F}, R2);
term_rest(L, R) -> {L, R}.
factor([{num, N} | R]) -> {N, R};
factor(['-' | R]) -> {F, R2} = factor(R), {{'-', F}, R2};
factor(['(' | R]) -> {E, [')' | R2]} = expr(R), {E, R2}.
eval({Op, A, B}) -> erlang:Op(eval(A), eval(B));
eval({'-', A}) -> -eval(A);
eval(N) -> N.
