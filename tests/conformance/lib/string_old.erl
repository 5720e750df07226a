%% string: the old, list-based functions.
-module(string_old).
-export([main/0]).

main() ->
    p(string:len("abc")), p(string:equal("a", "a")), p(string:concat("a", "b")), p(string:chr("hello", $l)), p(string:rchr("hello", $l)), p(string:str("hello world", "wor")), p(string:str("abc", "x")), p(string:rstr("abcabc", "bc")),
    p(string:span("aabbc", "ab")), p(string:cspan("abc,d", ",")), p(string:substr("hello", 2)), p(string:substr("hello", 2, 3)), p(string:tokens("a,b;;c", ",;")), p(string:tokens("", ",")), p(string:join(["a", "b", "c"], ", ")), p(string:join([], ",")),
    p(string:chars($x, 3)), p(string:chars($x, 2, "yz")), p(string:copies("ab", 3)), p(string:words("a b  c")), p(string:words("a,b,c", $,)), p(string:sub_word("one two three", 2)), p(string:sub_word("a:b:c", 3, $:)), p(string:strip("  a b  ")), p(string:strip("  a ", left)), p(string:strip("xxaxx", both, $x)), p(string:strip("  a ", right)),
    p(string:left("abc", 5)), p(string:left("abcdef", 3)), p(string:left("abc", 5, $.)), p(string:right("abc", 5)), p(string:right("abcdef", 3)), p(string:right("7", 3, $0)), p(string:centre("ab", 6)), p(string:centre("ab", 7, $*)), p(string:centre("abcdef", 2)),
    p(string:sub_string("hello", 2)), p(string:sub_string("hello", 2, 3)), p(string:to_lower("HeLLo \x{c5}")), p(string:to_upper("HeLLo \x{e5}")), p(string:to_lower($A)), p(string:to_upper($z)),
    p(string:to_integer("42abc")), p(string:to_integer("-7")), p(string:to_integer("abc")), p(string:to_integer("")), p(string:to_float("1.5e3x")), p(string:to_float("1")), p(string:to_float("-0.25")), p(string:to_integer("+5 6")),
    p(try string:substr("abc", 9) catch C:R -> {C, R} end), p(try string:len(abc) catch C1:R1 -> {C1, R1} end), p(try string:sub_string("abc", 0, 1) catch C2:R2 -> {C2, R2} end).

p(X) -> io:format("~p~n", [X]).
