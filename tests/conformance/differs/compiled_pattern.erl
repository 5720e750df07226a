%% The code inside a compiled pattern.
-module(compiled_pattern).
-export([main/0]).
main() ->
    {ok, {re_pattern, Groups, Unicode, Crlf, Code}} = re:compile("(a+)(b|c)*"),
    io:format("~w ~w ~w ~w~n", [Groups, Unicode, Crlf, erlang:md5(Code)]).
