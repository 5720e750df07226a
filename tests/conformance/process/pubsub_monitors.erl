%% Publish and subscribe with monitors, an ets index, and subscribers that die while topics are published.
-module(pubsub_monitors).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-behaviour(gen_server).

main() ->
    {ok, Hub} = gen_server:start_link({local, hub}, ?MODULE, [], []),
    Me = self(),
    Subs = [spawn(fun() -> ok = gen_server:call(hub, {subscribe, topic(N)}), Me ! {ready, N}, sub(N, 0) end) || N <- lists:seq(1, 9)],
    [receive {ready, N} -> ok end || N <- lists:seq(1, 9)],
    io:format("~p~n", [count()]),
    [gen_server:cast(hub, {publish, T, M}) || M <- lists:seq(1, 5), T <- [a, b, c]],
    [exit(P, kill) || {N, P} <- lists:zip(lists:seq(1, 9), Subs), N rem 3 =:= 0],
    [P ! {report, Me} || {N, P} <- lists:zip(lists:seq(1, 9), Subs), N rem 3 =/= 0],
    io:format("~p~n", [lists:sort([receive {got, N, K} -> {N, K} after 3000 -> late end || N0 <- lists:seq(1, 9), N0 rem 3 =/= 0])]),
    wait_until(fun() -> count() =:= [{a, 3}, {b, 3}] end),
    io:format("~p~n", [count()]),
    [P ! stop || P <- Subs],
    wait_until(fun() -> count() =:= [] end),
    io:format("~p ~p~n", [ets:info(hub_index, size), sys:get_state(hub)]),
    gen_server:stop(Hub),
    io:format("~p ~p~n", [ets:info(hub_index), whereis(hub)]).

topic(N) -> lists:nth(1 + N rem 3, [c, a, b]).
wait_until(F) -> case F() of true -> ok; false -> timer:sleep(1), wait_until(F) end.
count() ->
    L = ets:foldl(fun({{T, _}, _}, M) -> maps:update_with(T, fun(N) -> N + 1 end, 1, M) end, #{}, hub_index),
    lists:sort(maps:to_list(L)).

sub(N, K) ->
    receive
        {event, _, _} -> sub(N, K + 1);
        {report, To} when K =:= 5 -> To ! {got, N, K}, sub(N, K);
        stop -> ok
    end.

init([]) -> hub_index = ets:new(hub_index, [named_table, ordered_set, protected]), {ok, 0}.
handle_call({subscribe, T}, {P, _}, S) ->
    R = monitor(process, P),
    true = ets:insert_new(hub_index, {{T, P}, R}),
    {reply, ok, S + 1}.
handle_cast({publish, T, M}, S) ->
    [P ! {event, T, M} || [P] <- ets:match(hub_index, {{T, '$1'}, '_'})],
    {noreply, S}.
handle_info({'DOWN', R, process, _, _}, S) ->
    1 = ets:select_delete(hub_index, [{{'_', R}, [], [true]}]),
    {noreply, S - 1}.
