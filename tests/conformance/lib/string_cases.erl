%% Letters whose cases are several letters, that have a title case, or that later versions of Unicode changed.
-module(string_cases).
-export([main/0]).
main() ->
    Ranges = [{16#80, 16#24F}, {16#25C, 16#264}, {16#370, 16#3FF}, {16#10A0, 16#10FF}, {16#13A0, 16#13FF}, {16#1C80, 16#1CBF}, {16#1E90, 16#1EA0},
              {16#1F00, 16#1FFF}, {16#2100, 16#2190}, {16#A7C0, 16#A7FF}, {16#AB53, 16#ABBF}, {16#FB00, 16#FB17}, {16#10D50, 16#10D85}, {16#16EA0, 16#16ED3}],
    [line(C) || {From, To} <- Ranges, C <- lists:seq(From, To)],
    io:format("~w~n", [erlang:phash2([cases(C) || C <- lists:seq(0, 16#D7FF) ++ lists:seq(16#E000, 16#1FFFF)])]).

line(C) ->
    case cases(C) of
        [[C], [C], [C], [C]] -> ok;
        Cases -> io:format("~.16B ~w~n", [C, Cases])
    end.

cases(C) -> [string:casefold([C]), string:uppercase([C]), string:lowercase([C]), string:titlecase([C])].
