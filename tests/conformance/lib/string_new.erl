%% string: the newer functions on characters and grapheme clusters.
-module(string_new).
-export([main/0]).

main() ->
    p(string:length("abc")), p(string:length(<<"a\x{20ac}"/utf8>>)), p(string:length("e\x{301}")), p(string:is_empty("")), p(string:is_empty(<<>>)), p(string:is_empty("a")),
    p(string:trim("  ab  ")), p(string:trim("  ab  ", leading)), p(string:trim("  ab  ", trailing)), p(string:trim("xxabxx", both, "x")), p(string:trim(<<"\n a\t\n">>)), p(string:chomp("abc\r\n")), p(string:chomp("abc\n\n")),
    p(string:split("a,b,c", ",")), p(string:split("a,b,c", ",", trailing)), p(string:split("a,b,c", ",", all)), p(string:split("abc", "x")), p(string:split(<<"k=v=w">>, <<"=">>)), p(string:split("", ",", all)),
    p(string:lexemes("a,b;;c", ",;")), p(string:lexemes(<<"a b  c">>, " ")), p(string:nth_lexeme("a,b,c", 2, ",")), p(string:replace("abcabc", "b", "X")), p(lists:flatten(string:replace("abcabc", "b", "X", all))), p(string:replace("abcabc", "b", "X", trailing)),
    p(string:uppercase("abc\x{e5}")), p(string:lowercase("ABC\x{c5}")), p(string:titlecase("abc def")), p(string:casefold("ABC")), p(string:uppercase(<<"abc">>)), p(string:uppercase("stra\x{df}e")),
    p(string:find("hello world", "o")), p(string:find("hello world", "o", trailing)), p(string:find("abc", "x")), p(string:find(<<"abc">>, "b")), p(string:prefix("hello", "he")), p(string:prefix("hello", "x")), p(string:prefix(<<"hello">>, "he")),
    p(string:pad("ab", 5)), p(lists:flatten(string:pad("ab", 5, leading))), p(lists:flatten(string:pad("ab", 6, both, $*))), p(lists:flatten(string:pad("abcdef", 3))),
    p(string:slice("hello", 1)), p(string:slice("hello", 1, 3)), p(string:slice(<<"hello">>, 2)), p(string:slice("abc", 9)), p(string:reverse("abc")), p(string:reverse("e\x{301}a")), p(string:reverse(<<"abc">>)),
    p(string:equal("abc", <<"abc">>)), p(string:equal("ABC", "abc", true)), p(string:equal("a", "b")), p(string:next_codepoint("abc")), p(string:next_codepoint("")), p(string:next_grapheme("e\x{301}a")), p(string:to_graphemes("e\x{301}a")),
    p(string:take("abc123", "abc")), p(string:take("abc123", "0123456789", true)), p(string:take("abc123", "321", false, trailing)), p(string:concat("ab", "cd")).

p(X) -> io:format("~tp~n", [X]).
