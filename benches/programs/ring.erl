%% A token that goes round a ring of 100 processes; the argument is the number of rounds.
-module(ring).
-export([main/0, main/1]).

main() -> main(["2000"]).

main([Rounds]) ->
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> member(Next) end) end, self(), lists:seq(1, 100)),
    io:format("~w~n", [rounds(First, list_to_integer(Rounds), 0)]),
    First ! stop,
    receive stop -> ok end.

rounds(_, 0, Hops) -> Hops;
rounds(First, N, Hops) ->
    First ! {token, Hops},
    receive {token, H} -> rounds(First, N - 1, H) end.

member(Next) ->
    receive
        {token, H} -> Next ! {token, H + 1}, member(Next);
        stop -> Next ! stop
    end.
