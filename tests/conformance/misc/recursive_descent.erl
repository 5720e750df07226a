-module(recursive_descent).
-export([main/0]).
%% recursive-descent parser + VM, with positions and errors
tok(S) -> tok(S, 1, []).
tok([C | T], P, A) when C =:= $\s; C =:= $\n -> tok(T, P + 1, A);
tok([C | _] = S, P, A) when C >= $0, C =< $9 ->
    {D, R} = lists:splitwith(fun(X) -> (X >= $0 andalso X =< $9) orelse X =:= $. end, S),
    N = case lists:member($., D) of true -> list_to_float(D); false -> list_to_integer(D) end,
    tok(R, P + length(D), [{num, P, N} | A]);
tok([C | _] = S, P, A) when C >= $a, C =< $z ->
    {D, R} = lists:splitwith(fun(X) -> X >= $a andalso X =< $z end, S),
    tok(R, P + length(D), [{id, P, list_to_atom(D)} | A]);
tok([C | T], P, A) -> case lists:member(C, "+-*/^()=,;") of true -> tok(T, P + 1, [{list_to_atom([C]), P} | A]); false -> throw({lexer, P, [C]}) end;
tok([], P, A) -> lists:reverse([{eof, P} | A]).
expr(Ts) -> {L, R} = term(Ts), expr1(L, R).
expr1(L, [{Op, _} | T]) when Op =:= '+'; Op =:= '-' -> {R, T1} = term(T), expr1({Op, L, R}, T1);
expr1(L, T) -> {L, T}.
term(Ts) -> {L, R} = fac(Ts), term1(L, R).
term1(L, [{Op, _} | T]) when Op =:= '*'; Op =:= '/' -> {R, T1} = fac(T), term1({Op, L, R}, T1);
term1(L, T) -> {L, T}.
fac(Ts) -> {B, R} = un(Ts), case R of [{'^', _} | T] -> {E, T1} = fac(T), {{'^', B, E}, T1}; _ -> {B, R} end.
un([{'-', _} | T]) -> {E, R} = un(T), {{neg, E}, R};
un(T) -> prim(T).
prim([{num, _, N} | T]) -> {{num, N}, T};
prim([{id, _, F}, {'(', _} | T]) -> {As, R} = args(T, []), {{call, F, As}, R};
prim([{id, _, X} | T]) -> {{var, X}, T};
prim([{'(', _} | T]) -> {E, R} = expr(T), case R of [{')', _} | R1] -> {E, R1}; [Tk | _] -> throw({expected, ')', got, element(1, Tk), at, element(2, Tk)}) end;
prim([Tk | _]) -> throw({unexpected, element(1, Tk), at, element(2, Tk)}).
args([{')', _} | T], A) -> {lists:reverse(A), T};
args(Ts, A) -> {E, R} = expr(Ts), case R of [{',', _} | T] -> args(T, [E | A]); [{')', _} | T] -> {lists:reverse([E | A]), T} end.
ev({num, N}, _) -> N;
ev({var, X}, Env) -> maps:get(X, Env);
ev({neg, E}, Env) -> -ev(E, Env);
ev({'^', A, B}, Env) -> X = ev(A, Env), Y = ev(B, Env), if is_integer(X), is_integer(Y), Y >= 0 -> pow(X, Y); true -> math:pow(X, Y) end;
ev({call, F, As}, Env) -> apply(math, F, [ev(A, Env) || A <- As]);
ev({Op, A, B}, Env) -> erlang:Op(ev(A, Env), ev(B, Env)).
pow(_, 0) -> 1; pow(X, N) when N rem 2 =:= 0 -> pow(X * X, N div 2); pow(X, N) -> X * pow(X, N - 1).
comp({num, N}) -> [{push, N}]; comp({var, X}) -> [{load, X}]; comp({neg, E}) -> comp(E) ++ [neg];
comp({call, F, As}) -> lists:flatmap(fun comp/1, As) ++ [{call, F, length(As)}];
comp({Op, A, B}) -> comp(A) ++ comp(B) ++ [Op].
run(S, Env) ->
    try {E, R} = expr(tok(S)), [{eof, _}] = R, io:format("~-24s => ~p~n   ~w~n   ~w~n", [S, ev(E, Env), E, comp(E)])
    catch throw:T -> io:format("~-24s => parse error ~p~n", [S, T]);
          error:R1:St -> io:format("~-24s => ~p in ~p~n", [S, R1, hd([{M, F, if is_list(A) -> length(A); true -> A end} || {M, F, A, _} <- St])]) end.
main() ->
    Env = #{x => 10, y => 2.5},
    [run(S, Env) || S <- ["1+2*3", "(1+2)*3", "2^3^2", "2^200", "-x*y", "sqrt(16)+pow(2,3)", "1/0", "7/2", "foo(1)", "1+", "(1", "z+1", "3 $ 4", "1 2", "1e5", "2^-1", "sqrt(-1)", "log(0)", "1.5.2"]].
