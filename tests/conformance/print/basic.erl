%% io:format with the plain control sequences.
-module(basic).
-export([main/0]).

main() ->
    io:format("plain~n"),
    io:format("~~ ~n tilde~n"),
    io:format("~w ~p ~s~n", [a, b, "c"]),
    io:format("~s|~s|~s~n", ["string", <<"binary">>, atom]),
    io:format("~s~n", [["io", $l, <<"ist">>, ["nested", [$!]]]]),
    io:format("~c~c ~3c|~n", [$a, 98, $x]),
    io:format("~i~w~n", [ignored, shown]),
    io:fwrite("~w~n", [fwrite]),
    io:put_chars("put_chars\n"),
    io:nl(),
    io:write({a, "b", [1]}), io:nl(),
    io:format("no newline"), io:format("~n", []),
    io:format(standard_io, "~w~n", [to_device]),
    io:format(user, "~w~n", [to_user]),
    io:format(atom_format), io:nl(),
    io:format(<<"binary format ~w~n">>, [1]),
    io:format("~w~n", ["list, not string"]),
    ok = io:format("").
