%% An update whose result is not used, of a variable whose value is known.
-module(unused_update).
-export([main/0]).
main() -> io:format("~p~n", [try update() catch Class:Reason -> {Class, Reason} end]).

update() ->
    Map = #{a => 1},
    Map#{b := 2},
    ok.
