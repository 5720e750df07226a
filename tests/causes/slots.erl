%% A limiter counts who is inside in a table. A job that is killed inside never leaves.
%% Cause: the canceller killed job 2 while it was inside, so it never gave its slot back.
-module(slots).
-export([main/0]).

main() ->
    T = ets:new(limiter, [public, {write_concurrency, true}]),
    ets:insert(T, {inside, 0}),
    Me = self(),
    Jobs = [{N, spawn(fun() -> job(T, Me, N) end)} || N <- [1, 2, 3]],
    {2, Second} = lists:keyfind(2, 1, Jobs),
    spawn(fun() -> timer:sleep(4), exit(Second, kill) end),
    [receive {done, N, R} -> R after 50 -> cancelled end || N <- [1, 2, 3]],
    Rest = [{N, spawn(fun() -> job(T, Me, N) end)} || N <- [4, 5]],
    Results = [receive {done, N, R} -> {N, R} end || {N, _} <- Rest],
    case [N || {N, full} <- Results] of
        [] -> ok;
        Refused -> exit({refused, Refused, ets:lookup(T, inside)})
    end.

job(T, Parent, N) ->
    case ets:update_counter(T, inside, 1) of
        In when In =< 3, N =< 3; In =< 2 ->
            timer:sleep(3 + N),
            ets:update_counter(T, inside, -1),
            Parent ! {done, N, ok};
        _ ->
            ets:update_counter(T, inside, -1),
            Parent ! {done, N, full}
    end.
