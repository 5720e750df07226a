%% Modules that are loaded by the program.
-module(loading).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    io:format("~p~n", [try code:load_binary(made_here, "made_here", <<>>) catch error:undef -> undef end]).
