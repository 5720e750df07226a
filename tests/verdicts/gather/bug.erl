%% Answers are taken in the order in which they come, and put together in the order of the questions.
-module(gather).
-export([main/0]).

main() ->
    Self = self(),
    Words = [<<"one">>, <<"three">>, <<"eleven">>],
    [spawn_link(fun() -> Self ! {size, measure(W)} end) || W <- Words],
    Sizes = [receive {size, S} -> S end || _ <- Words],
    Table = lists:zip(Words, Sizes),
    io:format("~w~n", [length(Table)]),
    3 = proplists:get_value(<<"one">>, Table).

measure(Word) -> count(binary_to_list(Word), 0).

count([], N) -> N;
count([_ | Rest], N) -> count(Rest, N + 1).
