-module(unwanted).
-export([main/0, a/1, b/1, c/1, d/2, e/0]).
a(_) -> 1; a(1) -> 2; a(2) -> 3.
b(X) -> case X of _ -> 1; 2 -> 3; 4 -> 5 end.
c(X) -> if true -> 1; X > 1 -> 2; X < 1 -> 3 end.
d(_, _) -> 1; d(a, b) -> 2.
e() -> max(1, 2), list_to_atom("x"), node(), tuple_to_list({1}), X = 3, X, {X}, [X], [X || X <- []], [{X, Y} || Y <- []], "a" ++ "b", [1] ++ [X], f(), -X, bnot X, X > 2, X andalso true, is_list(X), <<X>>, #{X => 1}, fun f/0, fun lists:map/2, $a, 12345678901234567890, ok.
f() -> ok.
main() -> io:format("", [1]), io:format([], [1]), X = io_lib:format("~p~~~n~*.*.0f~-10..0B~tp~lp", [1, 2, 3, 4.0, 5, 6, 7]), io:format(X, []), io:format("~p"), io:fwrite(user, "~p~", [a | X]), io:format("~tx", [1]), io:format("~p~", []), io:format("ab", "c").
