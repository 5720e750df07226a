%% ~s and ~p on strings: precision, padding, escapes, printable or not.
-module(strings).
-export([main/0]).

main() ->
    io:format("~s|~10s|~-10s|~.2s|~5.2s|~-5.2s|~5.2.*s~n", ["abc", "abc", "abc", "abc", "abc", "abc", $*, "abc"]),
    io:format("~3s|~2s~n", ["abcdef", "abcdef"]),
    io:format("~10..-s|~-10..-s~n", ["abc", "abc"]),
    [io:format("~p ~w~n", [S, S]) || S <- ["", "abc", "tab\t nl\n cr\r esc\e del\d", "quote\"back\\slash", [0], [1, 2, 3], [7], [8, 9, 10, 11, 12, 13, 27], [31], [32], [126], [127], [128], [159], [160], [255], [256], "a" ++ [0], [97 | b], "\x{e5}\x{e4}\x{f6}"]],
    [io:format("~p~n", [B]) || B <- [<<>>, <<"abc">>, <<1, 2, 3>>, <<"tab\t">>, <<"quote\"">>, <<200>>, <<"abc", 0>>, <<1:1>>, <<5:3>>, <<"ab", 3:4>>, <<255, 1:7>>]],
    [io:format("~w~n", [B]) || B <- [<<>>, <<"abc">>, <<1, 2, 3>>, <<5:3>>, <<"ab", 3:4>>]],
    io:format("~p~n", [['string in list', "s", [$a, $b], {"t", "u"}]]),
    io:format("~lp ~lp~n", ["abc", <<"abc">>]),
    io:format("~s~n", [""]),
    io:format("~s~n", [[[[]]]]),
    io:format("~10p|~10w~n", ["ab", ab]).
