%% A broker answers a request to the process that registered last, not to the one that asked.
%% Cause: broker took {ask,0.1.0,2} and sent the answer to 0.3.0 (Last), not to main.
-module(wrong_door).
-export([main/0]).
main() ->
    B = spawn(fun() -> broker(none) end),
    B ! {hello, self()},
    B ! {ask, self(), 1},
    receive {answer, 1} -> ok end,
    spawn(fun() -> B ! {hello, self()}, receive stop -> ok end end),
    timer:sleep(1),
    B ! {ask, self(), 2},
    receive {answer, 2} -> ok after 100 -> exit(no_answer) end.
broker(Last) ->
    receive
        {hello, P} -> broker(P);
        {ask, _From, N} -> Last ! {answer, N}, broker(Last)
    end.
