%% A client that asks again when the server is slow: the first answer comes too late, and is never taken.
-module(retry).
-export([main/0]).
main() ->
    Server = spawn(fun() -> serve(0) end),
    Answer = ask(Server, 3),
    Server ! stop,
    Answer.
ask(_, 0) -> nothing;
ask(Server, Tries) ->
    Ref = make_ref(),
    Server ! {ask, self(), Ref},
    receive {Ref, N} -> {Tries, N} after 30 -> ask(Server, Tries - 1) end.
serve(N) ->
    receive
        {ask, From, Ref} ->
            [timer:sleep(50) || N =:= 0],
            From ! {Ref, N},
            serve(N + 1);
        stop -> N
    end.
