%% What the tables of Unicode say of code points.
-module(unicode_lookup).
-export([main/0]).

main() ->
    [io:format("~.16B ~p~n", [C, lists:sort(maps:to_list(unicode_util:lookup(C)))]) || C <- [$a, 16#94D, 16#C5, 16#345, 16#1E69, 16#212B, 16#AC00, 16#D800, 16#10FFFF]],
    Classes = [maps:get(ccc, unicode_util:lookup(C)) || C <- lists:seq(16#300, 16#36F)],
    io:format("~w~n", [Classes]).
