%% Answers are taken in the order in which they come, and put together in the order of the questions.
-module(gather).
-export([main/0]).

main() ->
    Self = self(),
    Words = [<<"one">>, <<"three">>, <<"eleven">>],
    Pids = [spawn_link(fun() -> Self ! {self(), measure(W)} end) || W <- Words],
    Sizes = [receive {Pid, S} -> S end || Pid <- Pids],
    Table = lists:zip(Words, Sizes),
    io:format("~w~n", [length(Table)]),
    3 = proplists:get_value(<<"one">>, Table).

measure(Word) -> count(binary_to_list(Word), 0).

count([], N) -> N;
count([_ | Rest], N) -> count(Rest, N + 1).
