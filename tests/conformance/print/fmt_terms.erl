%% Many terms at many columns and depths.
-module(fmt_terms).
-export([main/0]).
-record(r, {a, b = 2, c = "x"}).
main() ->
    Ts = [#r{a = 1}, [{k, V} || V <- lists:seq(1, 30)], lists:seq(1, 60), "a long string that goes on and on and on and on and on and on and on and on and on and on", #{long_key_number_one => lists:seq(1, 20), long_key_number_two => "some text here", {tuple, key} => #{nested => #{deep => [1,2,3]}}}, {a_long_tag, {another, [nested, {structure, "with", 'quoted atom', 1.0e10, -0.5}]}, <<"binary data here">>, <<1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28>>}, [[[[[[[a]]]]]]], {}, [], #{}, 1.0, 1.0e100, 1.5e-10, 123456789.0, 0.1, 100000.0, 1.0e22, 1.0e21, -0.0, $a, 'Atom', '', 'with space', [a | b], "tab\tnl\n\"q\"", [0], [127], [$a, 0], <<"utf8 å"/utf8>>, <<255, 254>>, fun lists:map/2],
    [io:format("~p~n~w~n", [T, T]) || T <- Ts],
    [io:format("~" ++ integer_to_list(N) ++ "p|~n", [T]) || N <- [10, 20, 40, 120], T <- lists:sublist(Ts, 6)],
    [io:format("~P~n~W~n", [T, D, T, D]) || D <- [1, 2, 5, 10, 20], T <- lists:sublist(Ts, 7)],
    [io:format("~" ++ F ++ "|~n", [X]) || {F, X} <- [{"s", "abc"}, {"10s", "abc"}, {"-10s", "abc"}, {"10.2s", "abcdef"}, {"10.2.*s", 1}, {"5w", 123456789}, {"b", 255}, {".16b", 255}, {".16B", 255}, {"8.16.0b", 255}, {".2#", 5}, {".8+", 64}, {"e", 3.14}, {"f", 3.14}, {".3f", 2.0005}, {"10.2f", 3.14159}, {"-10.2f", 3.14159}, {"g", 0.1}, {"g", 1.0e20}, {".3e", 12345.678}, {"c", $x}, {"5c", $x}, {"5.3c", $x}, {"~", 0}, {"x", 5}, {"i", foo}] , catch_ok("~" ++ F, X)],
    io:format("~*w|~-*w|~*.*f~n", [8, a, 8, b, 8, 2, 3.14159]), io:format("~s~n", [[$a, "b", <<"c">>, ["d" | <<"e">>]]]), io:format("~ts~n", [<<"bin">>]),
    io:format("~s~n", [io_lib:fwrite("~5..0w", [42])]), io:format("~p~n", [lists:flatten(io_lib:format("~p ~p", [[1, 2, 3], "abc"]))]),
    io:format("~tp ~tw~n", ["åäö", 'åäö']), io:format("~0p~n", [lists:seq(1, 60)]), io:format("~60p~n", [lists:duplicate(5, #{a => "hello world", b => [1, 2, 3]})]),
    io:format("~p~n", [[{name, "Alice"}, {address, [{street, "1 Main St"}, {city, "Springfield"}, {zip, 12345}]}, {tags, [admin, 'power user', "str"]}]]).
catch_ok(F, X) -> try io_lib:format(F, [X]) of _ -> true catch _:_ -> io:format("bad ~s~n", [F]), false end.
