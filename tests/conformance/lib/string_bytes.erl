%% string: binaries that are not UTF-8, and parts of a text one after the other.
-module(string_bytes).
-export([main/0]).

main() ->
    Bytes = [<<255>>, <<"a", 255>>, <<255, "a">>, <<"ab", 255, "cd">>, <<"ab ", 255, " cd">>, <<"ab", 255, "\r\n">>],
    [t(F, [B]) || F <- [length, to_graphemes, reverse, uppercase, titlecase, casefold, chomp, to_integer, to_float, next_grapheme,
                        next_codepoint, is_empty], B <- Bytes],
    [t(F, [B | A]) || {F, A} <- [{slice, [0]}, {slice, [1]}, {slice, [2]}, {slice, [3]}, {slice, [1, infinity]}, {slice, [0, 9]}, {pad, [6]},
                                 {take, ["a"]}, {take, ["ab"]}, {take, ["c", true]}, {take, ["abcd"]}, {take, ["cd", true]},
                                 {take, ["d", false, trailing]}, {take, ["cd", false, trailing]}, {take, ["", false]}, {take, ["", true]},
                                 {split, ["b"]}, {split, ["z"]}, {split, ["b", all]}, {split, ["c", trailing]}, {split, [<<255>>]},
                                 {find, ["b"]}, {find, ["z"]}, {find, ["c", trailing]}, {find, [<<255>>]}, {prefix, ["a"]},
                                 {prefix, ["ab"]}, {prefix, [<<255>>]}, {equal, ["a"]}, {equal, [<<255>>]}, {equal, ["ab", true]},
                                 {lexemes, ["b "]}, {lexemes, [" "]}, {nth_lexeme, [1, " "]}, {nth_lexeme, [2, " "]}, {trim, [leading, "a"]},
                                 {trim, [trailing, "d"]}, {trim, [both, "acd"]}, {replace, ["b", "x", all]}], B <- Bytes],
    Text = "ab, c\x{e9}, e\x{301}f\r\ng,\x{1F600}h 12.5e3x -7,y",
    [io:format("~p~n~p~n", [all(F, T), all(F, unicode:characters_to_binary(T))]) || T <- [Text, "", "a", "\r", "12"], F <- steps()],
    [t(F, A) || {F, A} <- [{find, ["e\x{301}x", [16#301]]}, {find, ["e\x{301}x", "e"]}, {split, ["ae\x{301}xe\x{301}", "e\x{301}", all]},
                           {split, ["a-b-c", "-", trailing]}, {split, ["abab", "ab", all]}, {split, ["", "a"]}, {split, ["aaa", "aa", all]},
                           {find, ["abcabc", "bc", trailing]}, {split, ["xayaz", "a", trailing]}, {titlecase, ["\x{df}x"]},
                           {titlecase, [["", "ab"]]}, {equal, ["Stra\x{df}e", "STRASSE", true]}, {equal, [["a", <<"b">>], "ab"]},
                           {equal, ["ab", "abc"]}, {to_float, ["1.5e"]}, {to_float, ["1.5e+"]}, {to_float, ["-1,5e3x"]}, {to_float, ["1.e3"]},
                           {to_float, [<<"1.5e400">>]}, {to_integer, [<<"-12", 204, 129>>]}, {to_integer, ["++1"]},
                           {nth_lexeme, ["a,b;c", 3, ",;"]}, {nth_lexeme, ["a,b;c", 4, ",;"]}, {tokens, [",a,,b,", ","]},
                           {tokens, [";a,b;", ",;"]}, {sub_word, ["a b  c", 3]}]].

%% Functions that give the first part of a text and the rest.
steps() ->
    [fun(T) -> case string:split(T, ",") of [A, B] -> {A, B}; [A] -> {A, ""} end end,
     fun(T) -> {string:slice(T, 0, 2), string:slice(T, 2)} end,
     fun(T) -> {string:slice(T, 1, 1), string:slice(T, 3)} end,
     fun(T) -> {A, B} = string:take(T, "abce, "), {A, string:slice(B, 1)} end,
     fun(T) -> {A, B} = string:take(T, ", " ++ [[$\r, $\n]], true), {A, string:slice(B, 1)} end,
     fun(T) -> case string:prefix(T, string:slice(T, 0, 1)) of nomatch -> {nomatch, ""}; R -> {prefix, R} end end,
     fun(T) -> {string:to_integer(T), string:slice(T, 1)} end,
     fun(T) -> {string:to_float(T), string:slice(T, 1)} end,
     fun(T) -> {string:titlecase(T), string:slice(T, 4)} end,
     fun(T) -> {string:trim(T, leading, "abc"), string:slice(T, 5)} end,
     fun(T) -> case string:find(T, ",") of nomatch -> {nomatch, ""}; R -> {R, string:slice(R, 1)} end end].

all(F, T) ->
    case string:is_empty(T) of
        true -> [];
        false -> {Part, Rest} = F(T), [Part | all(F, Rest)]
    end.

t(F, A) ->
    R = try {ok, apply(string, F, A)} catch C:E -> {C, E} end,
    io:format("~p~0p: ~0p~n", [F, A, R]).
