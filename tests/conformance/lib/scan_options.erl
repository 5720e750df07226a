%% The options of erl_scan: white space, comments, texts, reserved words.
-module(scan_options).
-export([main/0]).
main() ->
 Texts = ["x % hi\n.", "foo(X) ->\n    \"a\\nb\", 'q a', $a, 1.5e3, 16#ff. % c\n\n\nbar.\n", " ", "\n", "", "a.b. c.", "\t\ta\r\n\fb\n\t\t\tc", "\n\n  \n\v x", [$a, 16#a0, $\s, 16#85, $\n, $b], "case of if andalso foo 'case' maybe", lists:duplicate(40, $\s) ++ "a" ++ lists:duplicate(25, $\t), "\n" ++ lists:duplicate(40, $\s) ++ "%c\n%d\n   %e", "\n" ++ lists:duplicate(25, $\t), "a.%x\n.\n.", "\"a\nb\" 'c\nd' X", "% only", "a \"unterminated", "$\\x{41} $\\^a ?X 1_000", [127, $a]],
 Opts = [return, return_comments, [return_white_spaces], text, [text, return], [{reserved_word_fun, fun(X) -> X == x orelse X == 'of' end}], [{text_fun, fun(C, T) -> C == atom orelse length(T) > 3 end}, return], [{reserved_word_fun, a}], foo, [foo]],
 [io:format("~0tp ~0tp ~0tp~n", [T, L, un(catch erl_scan:string(T, L, O))]) || T <- Texts, O <- Opts, L <- [1, {1,1}, {3,7}]],
 io:format("~p~n", [un(catch erl_scan:tokens([], "a % c\n. ", 1, [return]))]),
 {more, C} = erl_scan:tokens([], "a % c\n", 1, [return]), io:format("~p~n", [catch erl_scan:tokens(C, ". b", 1, [return])]),
 {ok, Ts, _} = erl_scan:string("a + \"x\".", {1,1}, [text]), [io:format("~p~n", [{erl_scan:category(T), erl_scan:symbol(T), erl_scan:text(T), erl_scan:line(T), erl_scan:column(T), erl_scan:location(T), erl_scan:end_location(T)}]) || T <- Ts],

 io:format("~p ~p~n", [erl_parse:format_error(["a", "b"]), lists:flatten(erl_parse:format_error({a}))]),
 ok.
un({'EXIT', {R, [{M,F,A,_} | _]}}) -> {R, M, F, is_list(A)};
un(X) -> X.
