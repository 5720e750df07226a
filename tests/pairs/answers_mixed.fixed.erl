%% Answers carry no name of the question.
-module(answers_mixed).
-export([main/0]).

main() ->
    Me = self(),
    [spawn(fun() -> Me ! {answer, N, N * N} end) || N <- [2, 3]],
    A = receive {answer, 2, X} -> X end,
    B = receive {answer, 3, Y} -> Y end,
    {4, 9} = {A, B}.
