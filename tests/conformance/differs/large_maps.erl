%% The order of maps with more than 32 keys.
-module(large_maps).
-export([main/0]).
main() -> io:format("~w~n", [maps:keys(maps:from_list([{N, N} || N <- lists:seq(1, 40)]))]).
