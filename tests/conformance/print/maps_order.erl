%% Small maps print in term order; nested ones too.
-module(maps_order).
-export([main/0]).

main() ->
    io:format("~p~n", [#{c => 1, a => 2, b => 3}]),
    io:format("~w~n", [#{3 => x, 1.0 => y, 1 => z, a => w, {} => v, [] => u, "s" => t, <<>> => s, #{} => r}]),
    io:format("~p~n", [maps:from_list([{{N, a}, N} || N <- lists:seq(10, 1, -1)])]),
    io:format("~p~n", [maps:to_list(#{z => 1, y => 2, x => #{q => 1, p => 2}})]).
