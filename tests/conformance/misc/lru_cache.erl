%% An LRU cache: a process with ets and a doubly linked queue in maps; property-ish random test against a model.
-module(lru_cache).
-export([main/0, init/2]).
main() ->
    rand:seed(exsss, {1, 2, 3}),
    {Pid, Ref} = spawn_monitor(?MODULE, init, [self(), 3]),
    receive {ready, Pid} -> ok end,
    [put_(Pid, K, V) || {K, V} <- [{a, 1}, {b, 2}, {c, 3}]],
    io:format("~p~n", [get_(Pid, a)]),
    put_(Pid, d, 4),
    io:format("~p~n", [[{K, get_(Pid, K)} || K <- [a, b, c, d]]]),
    io:format("~p~n", [call(Pid, stats)]),
    io:format("~p~n", [catch call(Pid, crash)]),
    receive {'DOWN', Ref, process, Pid, R} -> io:format("down: ~p~n", [reason(R)]) end,
    Ops = [op() || _ <- lists:seq(1, 400)],
    Results = check(Ops, 5),
    io:format("~p~n", [Results]),
    io:format("~p~n", [lists:sublist(Ops, 6)]),
    io:format("~w~n", [[rand:uniform(100) || _ <- lists:seq(1, 10)]]),
    io:format("~w~n", [[round(rand:normal() * 100) || _ <- lists:seq(1, 5)]]),
    io:format("~p~n", [shuffle(lists:seq(1, 12))]).
reason({R, [{M, F, A, _} | _]}) -> {R, {M, F, if is_list(A) -> length(A); true -> A end}};
reason(R) -> R.
op() -> case rand:uniform(3) of 1 -> {get, rand:uniform(8)}; _ -> {put, rand:uniform(8), rand:uniform(1000)} end.
shuffle(L) -> [X || {_, X} <- lists:sort([{rand:uniform(), X} || X <- L])].
check(Ops, Size) ->
    {P, _} = spawn_monitor(?MODULE, init, [self(), Size]),
    receive {ready, P} -> ok end,
    {Model, Hits} = lists:foldl(fun(Op, {M, H}) -> step(P, Op, M, H, Size) end, {[], 0}, Ops),
    {call(P, stats), [K || {K, _} <- Model], Hits}.
step(P, {get, K}, M, H, _) ->
    case {get_(P, K), lists:keytake(K, 1, M)} of
        {{ok, V}, {value, {K, V}, Rest}} -> {[{K, V} | Rest], H + 1};
        {miss, false} -> {M, H}
    end;
step(P, {put, K, V}, M, H, Size) -> ok = put_(P, K, V), {lists:sublist([{K, V} | lists:keydelete(K, 1, M)], Size), H}.
put_(P, K, V) -> call(P, {put, K, V}).
get_(P, K) -> call(P, {get, K}).
call(P, Req) ->
    R = erlang:monitor(process, P, [{alias, reply_demonitor}]),
    P ! {R, Req},
    receive {R, Ans} -> Ans; {'DOWN', R, _, _, Why} -> exit({cache_down, reason(Why)}) after 1000 -> exit(timeout) end.
init(Parent, Size) ->
    T = ets:new(cache, [set, private]),
    O = ets:new(order, [ordered_set, private]),
    Parent ! {ready, self()},
    loop(#{t => T, o => O, size => Size, clock => 0, hits => 0, misses => 0, evicted => 0}).
loop(#{t := T, o := O, clock := C} = S) ->
    receive
        {From, {get, K}} ->
            case ets:lookup(T, K) of
                [{K, V, At}] -> ets:delete(O, At), ets:insert(O, {C, K}), ets:insert(T, {K, V, C}), From ! {From, {ok, V}}, loop(S#{clock := C + 1, hits := map_get(hits, S) + 1});
                [] -> From ! {From, miss}, loop(maps:update_with(misses, fun(N) -> N + 1 end, S))
            end;
        {From, {put, K, V}} ->
            case ets:lookup(T, K) of [{_, _, At}] -> ets:delete(O, At); [] -> true end,
            ets:insert(T, {K, V, C}), ets:insert(O, {C, K}),
            S1 = evict(S, ets:info(T, size)),
            From ! {From, ok}, loop(S1#{clock := C + 1});
        {From, stats} -> From ! {From, maps:without([t, o], S)}, loop(S);
        {_, crash} -> #{nope := _} = maps:without([t, o], S)
    end.
evict(#{size := N} = S, Now) when Now =< N -> S;
evict(#{t := T, o := O} = S, _) ->
    First = ets:first(O), [{_, K}] = ets:lookup(O, First), ets:delete(O, First), ets:delete(T, K),
    S#{evicted := map_get(evicted, S) + 1}.
