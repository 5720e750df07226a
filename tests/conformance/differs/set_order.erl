%% The order of a table of type set.
-module(set_order).
-export([main/0]).
main() ->
    Table = ets:new(set, []),
    ets:insert(Table, [{{key, N}} || N <- lists:seq(1, 20)]),
    io:format("~w~n", [[N || {{key, N}} <- ets:tab2list(Table)]]).
