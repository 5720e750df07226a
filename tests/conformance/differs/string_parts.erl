%% What `string` returns of a text that is a list of binaries.
-module(string_parts).
-export([main/0]).
main() ->
    Text = [<<" ab">>, [<<"cd">>, "e"], <<"fg ">>],
    io:format("~p~n~p~n~p~n", [string:trim(Text), string:slice(Text, 2, 3), string:uppercase(Text)]).
