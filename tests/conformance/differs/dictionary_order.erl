%% The order of the process dictionary.
-module(dictionary_order).
-export([main/0]).
main() ->
    erase(),
    [put({key, N}, N) || N <- lists:seq(1, 12)],
    io:format("~w~n", [[N || {key, N} <- get_keys()]]).
