%% re: regular expressions.
-module(re_calls).
-export([main/0]).

main() ->
    p(re:run("hello", "l+")), p(re:run("hello", "x")), p(re:run("ab12", "([a-z]+)([0-9]+)", [{capture, all, list}])), p(re:run("ab12", "([a-z]+)([0-9]+)", [{capture, all_but_first, binary}])), p(re:run("ab12", "(?<letters>[a-z]+)", [{capture, [letters], list}])), p(re:run("aXbX", "X", [global])), p(re:run("aXbX", "(.)X", [global, {capture, all, list}])), p(re:run("ABC", "b", [caseless, {capture, first, list}])), p(re:run(<<"abc">>, <<"c$">>)), p(re:run("abc", "b", [{capture, none}])), p(re:run("abc", "b", [{offset, 2}])),
    p(re:replace("hello", "l", "L", [{return, list}])), p(re:replace("hello", "l", "L", [global, {return, list}])), p(re:replace("hello", "(l)(l)", "[\\2&\\1]", [{return, binary}])), p(re:replace("hello", "x", "y")), p(re:split("a,b,c", ",")), p(re:split("a,b,c", ",", [{return, list}])), p(re:split("a1b2c", "([0-9])", [{return, list}])), p(re:split("a,b,c", ",", [{parts, 2}, {return, list}])), p(re:split("a,,b,", ",", [trim, {return, list}])), {ok, MP} = re:compile("^a(b*)c$"), p(re:run("abbc", MP, [{capture, all, list}])), p(re:compile("(")), p(try re:run("a", "(") catch error:E -> E end), p(re:run("foo\nbar", "^bar", [multiline, {capture, all, list}])), p(re:run("a.b", "a\\.b", [{capture, all, list}])), p(re:run("\x{e5}b", ".b", [unicode, {capture, all, list}])), p(re:run("aaa", "a{2}", [{capture, all, index}])).

p(X) -> io:format("~p~n", [X]).
