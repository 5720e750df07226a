-module(always).
-export([a/0, a2/1, a3/0, b/0, b2/0, b4/0, b6/0, b7/0, b9/0, d/0, d2/1, d3/0, d4/1, j/0, j1/0, k/1, l/0]).
a() -> #{a => 1, a => 2}.
a2(M) -> M#{b => 1, b => 2, 1 => 3, 1 => 4, 1.0 => 2}.
a3() -> #{a := _} = #{a => 1, {x,1} => 2, {x,1} => 3, "s" => 1, "s" => 2, $a => 1, 97 => 3}.
b() -> atom_to_list(1).
b2() -> hd([]), tl([]), element(3, {a,b}), length(a), list_to_integer("x"), abs(a), size(1).
b4() -> element(0, {a}).
b6() -> 1 + a, -a, not 1, bnot 1.5, a and b, true or 2, [] ++ [], a ++ b, [1] -- a.
b9() -> length([a|b]), setelement(3,{a},b), list_to_tuple(a), tuple_to_list(1).
d() -> if false -> 1; true -> 2 end.
d2(X) -> if X, false -> a; true -> b end.
d3() -> if 1 -> a; true -> b end.
d4(X) when false -> X; d4(X) -> X.
j1() -> 1 / 0, 1 div 0, 1 rem 0, 1.0 / 0, 1 bsl a.
b7() -> round(a), trunc("x"), float(b), integer_to_list(a), list_to_atom(b), tuple_size([]), byte_size(1), bit_size(a), binary_to_list(a), hd(a), tl(1), ok.
j() -> X = {(a)#{b => 1}, []#{}}, X.
k(X) when X, false; 1 -> case X of 1 when false -> 2; _ -> 3 end; k(X) -> X.
l() -> [length([]), length("abc"), hd("a"), element(1, {a}), element(2, {a, b}), setelement(1, {a}, b), abs(-1), list_to_integer("12"), list_to_integer("-12"), not true, [] ++ a, a -- [], list_to_atom("x"), - 1, + a, bnot 1, true and false, #{a => 1, b => 1}, #{1 => a, 1.0 => b}, round(1.5), integer_to_list(1), size({}), tuple_to_list({})].
