%% Splitting and replacing where patterns can match nothing.
-module(re_splits).
-export([main/0]).
main() ->
 Subjects = ["", "a", "abc", "ABC abc", "user@example.com", "a,b,,c,,", ",,a", "xxaxx", "aaa", "  x  y ", "a\nb\n"],
 Patterns = ["a", "x*", ".*?", "[^,]*", ",", "(,)(x)?", "b+", "\\s*", "(a)|(b)", "$", "^", "(?=a)", "", "()", "(a*)(b*)", "\\b"],
 Opts = [[], [trim], [group], [group, trim], [{parts, 2}], [{parts, 3}, group], [{parts, 1}], [{parts, 2}, trim]],
 [io:format("~p ~p ~p ~p~n", [S, P, O, try re:split(S, P, [{return, list} | O]) catch error:E -> E end]) || S <- Subjects, P <- Patterns, O <- Opts],
 [io:format("~p ~p ~p ~p~n", [S, P, R, try re:replace(S, P, R, [{return, list} | O]) catch error:E -> E end]) || S <- Subjects, P <- Patterns, R <- ["\\0", "<&>", "\\g0", "\\1x", "\\\\1", "\\g{1}", "\\&"], O <- [[], [global]]],
 ok.
