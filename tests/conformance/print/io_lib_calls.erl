%% io_lib functions.
-module(io_lib_calls).
-export([main/0]).

main() ->
    p(io_lib:format("~w-~s", [a, "b"])), p(lists:flatten(io_lib:format("~5w|~p", [1, "s"]))), p(io_lib:fwrite("~b", [3])),
    p(lists:flatten(io_lib:write({a, "b"}))), p(lists:flatten(io_lib:print([1, 2, "abc"]))), p(lists:flatten(io_lib:nl())),
    p(io_lib:write_atom('A b')), p(io_lib:write_string("a\"b\n")), p(io_lib:write_char($a)), p(io_lib:write_char($\n)),
    p(io_lib:char_list("abc")), p(io_lib:char_list([a])), p(io_lib:deep_char_list(["a", [$b]])), p(io_lib:printable_list("abc")), p(io_lib:printable_list([1])),
    p(io_lib:printable_latin1_list("\x{e5}")), p(io_lib:printable_unicode_list([8364])), p(io_lib:latin1_char_list([8364])),
    p(lists:flatten(io_lib:write({a, [b, {c}]}, 3))), p(lists:flatten(io_lib:print(lists:seq(1, 40), 5, 30, -1))),
    p(io_lib:fread("~d ~s", "42 abc rest")), p(io_lib:fread("~f,~a", "1.5,foo")), p(io_lib:fread("~d", "x")), p(io_lib:fread("~2d~c", "1234")), p(io_lib:fread("~16u", "ff")), p(io_lib:fread("~#", "16#1f")),
    p(io_lib:indentation("abc\nde", 0)), p(lists:flatten(io_lib:format("~ts", [[8364]]))),
    p(lists:flatten(io_lib:format("~p", [lists:seq(1, 30)]))),
    p(lists:flatten(io_lib:format("~0p", [lists:seq(1, 40)]))),
    p(lists:flatten(io_lib:format("~0P", [lists:seq(1, 40), 10]))),
    p(io_lib:format("~s", [<<"bin">>])), p(lists:flatten(io_lib:format("~w", [<<"b">>], []))),
    p(lists:flatten(io_lib:format("~p", [lists:seq(1, 100)], [{chars_limit, 30}]))).

p(X) -> io:format("~w~n", [X]).
