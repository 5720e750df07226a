%% ~p: broken improper lists, nested structures, floats, words with spaces.
-module(lines_more).
-export([main/0]).

main() ->
    io:format("~p~n", [lists:seq(1, 40) ++ tail]),
    io:format("~p~n", [[lists:seq(1, 40) | {lists:seq(1, 40)}]]),
    io:format("~p~n", [[X / 7 || X <- lists:seq(1, 20)]]),
    io:format("~p~n", [["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog", "and", "runs", "away", "very", "fast"]]),
    io:format("~p~n", ["a string with words that are broken at blanks " ++ "and continues over " ++ lists:flatten(lists:duplicate(10, "several words "))]),
    io:format("~p~n", [<<"a binary with words that are broken at blanks or not, who knows, let us see what the printer makes of it in the end">>]),
    io:format("~p~n", [{error, {badmatch, {some, [very, deeply, {nested, [structure, with, {many, [levels, {of_nesting, [that, goes, on]}]}]}]}}}]),
    io:format("~p~n", [[{a, [{b, [{c, [{d, [{e, [{f, lists:seq(1, 30)}]}]}]}]}]}]]),
    io:format("~p~n", [#{a => 1, b => [#{x => 1, y => "some text"}, #{x => 2, y => "some other text"}], c => {#{}, #{z => lists:seq(1, 20)}}}]),
    io:format("~p~n", [[{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, b}, c]]),
    io:format("~p~n", [{{{{{{{{{{lists:seq(1, 50)}}}}}}}}}}]),
    io:format("~p~n", [[[], [], {}, {}, "", <<>>, #{}]]),
    io:format("~60p~n", [[{item, N, "text for it"} || N <- lists:seq(1, 5)]]),
    io:format("~p~n~p~n", [lists:seq(1000, 1015), lists:seq(1000, 1016)]),
    io:format("~p~n", [lists:seq(10000000, 10000009)]),
    [io:format("~p~n", [lists:duplicate(N, abcdefgh)]) || N <- lists:seq(6, 10)],
    [io:format("~p~n", [list_to_tuple(lists:duplicate(N, abcdefgh))]) || N <- lists:seq(6, 10)].
