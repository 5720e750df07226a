%% Sigils on strings: kinds, delimiters and escapes.
-module(sigil_kinds).
-export([main/0, name/1]).

-define(TEXT, ~"of a macro").
-define(QUOTED(X), {X, ~s"with (parens)", ~b[and, commas]}).

name(~"one") -> 1;
name(~b"t\x77o") -> 2;
name(~B(th\ree)) -> 3;
name(~s"list") -> list;
name(<<"a", Rest/binary>>) -> Rest;
name(_) -> other.

main() ->
    io:format("~w~n", [[~"", ~"abc", ~b"abc", ~B"abc", ~s"abc", ~S"abc"]]),
    io:format("~w~n", [[~"a\nb", ~b"a\nb", ~B"a\nb", ~s"a\nb", ~S"a\nb"]]),
    io:format("~w~n", [[~"å€\x{1F600}", ~B"å€", ~s"å€", ~S"å\x{1F600}"]]),
    io:format("~w~n", [[~s(a), ~s[a], ~s{a}, ~s<a>, ~s/a/, ~s|a|, ~s'a', ~s"a", ~s`a`, ~s#a#]]),
    io:format("~w~n", [[~b(a), ~b[a], ~b{a}, ~b<a>, ~b/a/, ~b|a|, ~b'a', ~b"a", ~b`a`, ~b#a#]]),
    io:format("~w~n", [[~(a), ~[a], ~{a}, ~<a>, ~/a/, ~|a|, ~'a', ~"a", ~`a`, ~#a#]]),
    io:format("~w~n", [[~B(a), ~B[a], ~B{a}, ~B<a>, ~B/a/, ~B|a|, ~B'a', ~B"a", ~B`a`, ~B#a#]]),
    io:format("~p~n", [[~s(a"b'c), ~s[a(b)c], ~s{"quoted"}, ~s<x/y>, ~s/a<b>c/]]),
    io:format("~p~n", [[~s(a\)b), ~s[a\]b], ~s"a\"b", ~b'it\'s', ~b/a\/b/, ~s|\||]]),
    io:format("~p~n", [[~S(a\), ~S[\n\t], ~B"\x41", ~B{\\}, ~S'\"']]),
    io:format("~w~n", [[~s"\0\12\123\x41\x{42}\^A\e\s\d\t\v\b\f\r\\", ~b"\0\377"]]),
    io:format("~p~n", [[~s"two
lines", ~b"two
lines", ~S(three

lines)]]),
    io:format("~p~n", [[~"x" =:= <<"x">>, ~s"x" =:= "x", ~"å" =:= <<"å"/utf8>>, ~"å" =:= <<"å">>]]),
    io:format("~p~n", [[name(N) || N <- [<<"one">>, <<"two">>, <<"th\\ree">>, "list", <<"abc">>, <<"b">>]]]),
    io:format("~p~n", [{?TEXT, ?QUOTED(~S[\d+])}]),
    io:format("~p~n", [<<(~"ab")/binary, ~s"cd", "ef"/utf8>>]),
    io:format("~p~n", [#{~"key" => ~s"value"}]),
    io:format("~p~n", [maps:get(~"key", #{~"key" => found})]),
    io:format("~p~n", [[X || <<X>> <= ~"xyz"]]),
    io:format("~p~n", [[X || X <- ~s"xyz"]]),
    io:format("~p~n", [case <<"abc">> of ~"abc" -> same; _ -> other end]),
    io:format("~p~n", [~s"~p and ~s"]),
    io:format(~s"~p ~s~n", [a, "b"]),
    io:format(~"~p ~s~n", [a, "b"]),
    io:format("~p~n", [re:run("a1b22", ~S"\d+", [{capture, first, list}])]),
    io:format("~p~n", [{~"a", -1, ~b"b", [~"c"|~"d"]}]),
    io:format("~p~n", [byte_size(~"åäö")]).
