%% main asks a front, which forwards to a back with its own pid, and the back answers to the front, which drops the answer.
%% Cause: front took {answer,7} from back at loop's catch-all and sent nothing to main.
-module(front_desk).
-export([main/0]).

main() ->
    Back = spawn(fun back/0),
    Front = spawn(fun() -> front(Back) end),
    Front ! {ask, self(), 7},
    receive {answer, 7} -> ok after 300 -> exit(no_answer) end.

front(Back) ->
    receive
        {ask, _From, N} ->
            Back ! {ask, self(), N},
            front(Back);
        _Other ->
            front(Back)
    end.

back() ->
    receive {ask, From, N} -> From ! {answer, N}, back() end.
