%% Lists of numbers that compare equal and are not identical: their order after sorting.
-module(sort_twins).
-export([main/0]).
main() ->
    rand:seed(exsss, 7),
    [io:format("~w~n", [lists:sort([pick() || _ <- lists:seq(1, N)])]) || N <- [0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 7, 8, 9, 10, 12, 15, 20, 30, 30, 30, 50, 80, 120], _ <- [1, 2, 3]],
    io:format("~w~n", [lists:usort([1, 1.0, 2.0, 2, 1, 3])]), io:format("~w~n", [lists:sort([{1.0, b}, {1, a}, {1, b}, {1.0, a}])]).
pick() -> N = rand:uniform(4), case rand:uniform(2) of 1 -> N; 2 -> float(N) end.
