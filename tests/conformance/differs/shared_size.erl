%% `erts_debug:size/1` counts a shared part once.
-module(shared_size).
-export([main/0]).
main() ->
    Part = lists:seq(1, 10),
    io:format("~w~n", [erts_debug:size({Part, Part})]).
