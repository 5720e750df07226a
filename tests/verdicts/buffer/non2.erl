%% A bounded buffer as a monitor with a condition variable; one wait set for both conditions.
-module(buffer).
-export([main/0]).

main() ->
    Buf = spawn(fun() -> buffer(1, [], []) end),
    Me = self(),
    Ps = [spawn(fun() -> [store(Buf, {N, I}) || I <- [1, 2]], Me ! {finished, N} end) || N <- [p1, p2]],
    Cs = [spawn(fun() -> [get_item(Buf) || _ <- [1, 2]], Me ! {finished, N} end) || N <- [c1, c2]],
    [receive {finished, N} -> N end || N <- [p1, p2, c1, c2]],
    io:format("done ~p~n", [length(Ps) + length(Cs)]).

store(Buf, X) ->
    case request(Buf, {put, X}) of
        ok -> ok;
        full -> wait(Buf), store(Buf, X)
    end.

get_item(Buf) ->
    case request(Buf, get) of
        {ok, X} -> X;
        empty -> wait(Buf), get_item(Buf)
    end.

request(Buf, R) ->
    Ref = make_ref(),
    Buf ! {R, {self(), Ref}},
    receive {Ref, A} -> A end.

%% Sleeps until somebody changed the buffer.
wait(Buf) ->
    timer:sleep(1),
    Buf ! {wait, self()},
    receive wake_up -> ok end.

buffer(Max, Items, Waiting) ->
    receive
        {{put, X}, {P, Ref}} when length(Items) < Max ->
            P ! {Ref, ok},
            buffer(Max, Items ++ [X], notify(Waiting));
        {{put, _}, {P, Ref}} ->
            P ! {Ref, full},
            buffer(Max, Items, Waiting);
        {get, {P, Ref}} when Items =/= [] ->
            P ! {Ref, {ok, hd(Items)}},
            buffer(Max, tl(Items), notify(Waiting));
        {get, {P, Ref}} ->
            P ! {Ref, empty},
            buffer(Max, Items, Waiting);
        {wait, P} ->
            buffer(Max, Items, Waiting ++ [P])
    end.

notify([]) -> [];
notify([P | Rest]) -> P ! wake_up, Rest.
