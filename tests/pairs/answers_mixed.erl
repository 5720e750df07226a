%% Answers carry no name of the question.
-module(answers_mixed).
-export([main/0]).

main() ->
    Me = self(),
    [spawn(fun() -> Me ! {answer, N * N} end) || N <- [2, 3]],
    A = receive {answer, X} -> X end,
    B = receive {answer, Y} -> Y end,
    {4, 9} = {A, B}.
