%% string: what is no text, no pattern, no option, no set of separators: class, reason and stack trace.
-module(string_errors).
-export([main/0]).

main() ->
    [t(F, A) || F <- [trim, length, to_graphemes, reverse, uppercase, lowercase, titlecase, casefold, chomp, is_empty, to_integer, to_float,
                      next_grapheme, next_codepoint, to_upper, to_lower, strip, len],
                A <- [[undefined], [12], [{a}], ["ab" | c]], is_list(tl(A))],
    [t(F, A) || F <- [split, find, prefix, lexemes, tokens, equal, str, rstr, chr, concat, join, slice, pad, left, right, sub_word, words, trim,
                      take],
                A <- [[undefined, ","], ["a,b", undefined], ["a,b", 44], [[1, undefined], ","], [undefined, 1], ["abc", -1]],
                {F, hd(A)} =/= {lexemes, [1, undefined]}],
    [t(F, A) || {F, A} <- [{split, ["a", "", foo]}, {find, ["a/b", "/", foo]}, {find, ["a/b", "", foo]}, {lexemes, ["ab", [[]]]},
                           {lexemes, ["ab", [a]]}, {lexemes, ["ab", a]}, {lexemes, ["ab", ["a" | b]]}, {take, ["ab", [[]], true]},
                           {take, ["ab", [[]]]}, {take, ["ab", "a", foo]}, {take, ["ab", "a", true, foo]}, {nth_lexeme, ["ab", 1, [[]]]},
                           {nth_lexeme, [undefined, 1, " "]}, {nth_lexeme, [undefined, 2, ""]}, {nth_lexeme, ["a", 0, "a"]},
                           {trim, ["ab", trailing, [[]]]}, {trim, ["ab", leading, [[]]]}, {trim, ["ab", leading, a]}, {trim, ["ab", foo, "a"]},
                           {trim, [undefined, trailing, "a"]}, {trim, [undefined, both, "a"]}, {take, [undefined, "a", true]},
                           {take, [undefined, "a", false, trailing]}, {take, [undefined, "a", true, trailing]}, {take, ["ab", [], foo]},
                           {lexemes, [undefined, []]}, {sub_word, ["abc", 0]}, {sub_word, ["", -1]}, {tokens, [[a | b], ","]},
                           {tokens, [undefined, ",;"]}, {tokens, [undefined, ""]}, {tokens, ["a", undefined]}, {right, ["abc", -3]},
                           {replace, [undefined, "a", "b"]}, {replace, ["a", undefined, "b"]}, {equal, [undefined, "b", true]},
                           {equal, ["a", "a", foo]}, {pad, ["a", 3, foo]}, {slice, ["abc", 1, -1]}, {slice, [undefined, 0]},
                           {slice, [undefined, 0, 1]}, {slice, [undefined, 1, 1]}, {slice, [undefined, 0, 0]},
                           {find, [undefined, "a", trailing]}, {split, [undefined, "a", trailing]}, {split, [undefined, ""]},
                           {find, [undefined, ""]}, {prefix, [undefined, ""]}, {titlecase, [["a" | foo]]}, {to_float, ["#{}" ++ [a]]},
                           {to_integer, ["12" ++ [a]]}, {to_integer, [[97, [[] | 118]]]}]].

t(F, A) ->
    R = try {ok, apply(string, F, A)}
        catch C:E:S -> {C, E, [{M, G, X} || {M, G, X, _} <- S, M =/= ?MODULE, M =/= harness, M =/= init]}
        end,
    io:format("~p~0p: ~0p~n", [F, A, R]).
