%% Integers in all bases, characters, floats, atoms, strings.
-module(literals).
-export([main/0]).

main() ->
    p([0, 1, -1, 16#ff, 2#1010, 36#Zz, 8#777, 1_000_000, 16#FFFF_FFFF]),
    p([$a, $A, $\s, $\n, $\t, $\\, $\e, $\d, $\0, $\x41, $\x{1F600}, $\101, $\^A, $", $']),
    p([1.0, 0.1, -2.5, 1.0e10, 1.5e-7, 1.0e22, 1.0e23, 123456789.123]),
    p([foo, 'Foo', 'with space', 'quote\'d', '', 'new\nline', true, nil, 'å', foo@bar, a_B_1]),
    p("string"), p(""), p("a" "b" "c"), p("tab\there\"quoted\"\\"),
    p("\x41\x{42}\103\s\e"),
    p({}), p({a}), p({a, {b, {c}}}), p([]), p([a | b]), p([1, [2, [3]], []]),
    io:format("~s~n", ["escapes: \b\f\v" -- "\b\f\v"]).

p(X) -> io:format("~w~n", [X]).
