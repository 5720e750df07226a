%% erl_eval on many forms of expressions, and its errors.
-module(eval_exprs).
-export([main/0]).
main() ->
    {ok, Ts, _} = erl_scan:string("F = fun(0) -> 1; (N) when N > 0 -> N * 2 end, L = [F(X) || X <- [0,1,2], X =/= 1], <<A:8, R:16/little, Rest/binary>> = <<1,2,3,4,5>>, M = #{a => 1, b => L}, Z = 3, case M of #{a := V} when V > 0 -> {V, A, R, Rest, L, try error(x) catch error:Y -> Y end, Z, if Z > 2 -> yes; true -> no end, << <<B>> || B <- [1,2] >>, catch throw(q), lists:map(fun(W) -> W + Z end, [1,2])} end."),
    {ok, Es} = erl_parse:parse_exprs(Ts), {value, Val, Bs} = erl_eval:exprs(Es, []), p(Val), p([K || {K, _} <- erl_eval:bindings(Bs)]),
    [begin {ok, T1, _} = erl_scan:string(X), {ok, E1} = erl_parse:parse_exprs(T1), p(try {value, V2, _} = erl_eval:exprs(E1, #{}), V2 catch C:RR -> {C, RR} end) end ||
        X <- ["X.", "1 = 2.", "foo(1).", "lists:nth(0, []).", "a + 1.", "case 1 of 2 -> 3 end.", "fun(X) -> X end(3).", "if false -> 1 end.", "(fun F(0) -> 1; F(N) -> N * F(N-1) end)(5).",
              "[X || {X, 1} <- [{a,1},{b,2}]].", "\"ab\" ++ T = \"abc\", T.", "X = 3, X = 4.", "1/0.", "#{a => 1}#{a := 2, b => 3}.", "{X, X} = {1, 1}, X.", "A = B = 1, A + B.", "fun lists:reverse/1([1,2]).",
              "self() =:= self().", "true andalso false.", "3 orelse 1.", "<<X:4, Y:4>> = <<16#ab>>, {X, Y}.", "-(1 + 2) * 3 rem 2.", "not true.", "try throw(a) of _ -> 1 catch throw:a -> caught after ok end."]],
    p(erl_eval:expr({op, 1, '+', {var, 1, 'A'}, {integer, 1, 2}}, #{'A' => 40})), p(erl_eval:expr_list([{integer, 1, 1}, {var, 1, 'B'}], [{'B', b}])),
    p(erl_eval:exprs(element(2, erl_parse:parse_exprs(element(2, erl_scan:string("twice(21).")))), [], {value, fun(twice, [N]) -> N * 2 end})),
    p(erl_internal:bif(length, 1)), p(erl_internal:guard_bif(spawn, 1)), p(erl_internal:op_type('+', 2)).
p(X) -> io:format("~p~n", [X]).
