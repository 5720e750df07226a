%% OTP's `cover`: it compiles a module again with counters, loads it, and analyses what was executed.
-module(cover_measures).
-export([main/0]).

main() ->
    ok = file:write_file("covered.erl", text()),
    io:format("~p~n", [cover:compile(covered)]),
    io:format("~p~n", [[covered:f(1), covered:g([1, 2, 3])]]),
    io:format("~p~n", [cover:modules()]),
    io:format("~p~n", [cover:analyse(covered, coverage, line)]),
    io:format("~p~n", [cover:analyse(covered, calls, function)]),
    io:format("~p~n", [cover:analyse(covered, coverage, clause)]),
    {ok, File} = cover:analyse_to_file(covered),
    {ok, Text} = file:read_file(File),
    [_, Listing] = binary:split(Text, <<"***\n\n">>),
    io:format("~s~n", [Listing]),
    io:format("~p~n", [cover:reset(covered)]),
    io:format("~p~n", [cover:analyse(covered, coverage, module)]),
    {file, _} = cover:is_compiled(covered),
    io:format("~p~n", [cover:stop()]).

text() ->
    "-module(covered).\n-export([f/1, g/1, h/2]).\nf(X) when X > 0 ->\n    Y = X + 1,\n    {pos, Y};\nf(_) ->\n    neg.\n"
    "g(L) -> [begin f(X) end || X <- L, X =/= 3].\nh(A, B) ->\n    try A / B\n    catch error:badarith -> inf\n    end.\n".
