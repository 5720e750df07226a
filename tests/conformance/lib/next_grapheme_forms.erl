%% What is left of a text after its first code point or grapheme cluster keeps its form.
-module(next_grapheme_forms).
-export([main/0]).
main() ->
    Texts = [<<>>, <<"c">>, <<"ab">>, <<"abc">>, <<"\r\n">>, <<"\r\nx">>, <<"\r">>, <<"e", 769/utf8>>, <<"e", 769/utf8, "x">>, <<"é"/utf8>>, <<"éa"/utf8>>,
        <<255>>, <<"a", 255>>, <<"a", 255, "b">>, <<"é"/utf8, 255>>, <<"e", 769/utf8, 255>>, "", "c", "ab", [<<>>], [<<"c">>], [<<"ab">>], [<<"a">>, <<"b">>], [<<>>, <<"b">>], [<<"a">> | <<"b">>],
        [$a | <<"b">>], [$a | <<>>], [$a, <<>>], [$a, <<"b">>], [[$a]], [[$a], $b], [[[]], $b], [[$a | <<"b">>], $c], [[$a], [769], $b], [$a, [769]], [$a | <<769/utf8>>], [$a, <<769/utf8>>, $b], [<<"a", 769/utf8>>, $b], [[<<"a">>], [[769]], []],
        [<<255>>], [$a, <<255>>], [<<"a">>, <<255>>], [$a | <<255>>], [<<"a", 255>>, $b], [$\r, <<"\n">>], [$\r | <<"\n">>], [<<"\r">>, $\n], [$\r, [$\n]], [[], []], [[]], [<<>> | <<>>], [[] | <<>>], [[] | <<"a">>], [[<<"a">> | <<"b">>] | <<"c">>], [16#1F468, 16#200D, 16#1F469 | <<"b">>], [<<16#1F468/utf8, 16#200D/utf8>>, 16#1F469, $b]],
    lists:foreach(fun(T) ->
        io:format("~w: cp ~w gc ~w~n", [T, catch1(fun() -> unicode_util:cp(T) end), catch1(fun() -> string:next_grapheme(T) end)]),
        [io:format("  ~w ~w~n", [F, catch1(fun() -> unicode_util:F(T) end)]) || F <- [uppercase, lowercase, titlecase, casefold, nfd, nfc, nfkd, nfkc]],
        io:format("  np ~w len ~w ~w ~w~n", [catch1(fun() -> string:next_codepoint(T) end), catch1(fun() -> string:length(T) end), catch1(fun() -> string:to_graphemes(T) end), catch1(fun() -> string:slice(T, 1, 1) end)])
    end, Texts).
catch1(F) -> try F() catch C:R -> {C, R} end.
