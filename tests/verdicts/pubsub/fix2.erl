%% Publish and subscribe with retained values: the hub answers a subscription with the value.
-module(pubsub).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

-record(hub, {values = #{price => 9}, subs = #{}}).

main() ->
    {ok, Hub} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    spawn_link(fun() -> [publish(Hub, price, N) || N <- [10, 11, 12]], Me ! published end),
    Subs = [spawn_link(fun() -> subscriber(Hub, Me) end) || _ <- [1, 2]],
    receive published -> ok end,
    [receive {ready, S} -> ok end || S <- Subs],
    Seen = [begin ok = gen_server:call(Hub, {forward, S, {report, self()}}), receive {seen, S, V} -> V end end || S <- Subs],
    io:format("seen ~p~n", [Seen]),
    [error({missed_update, V, 12}) || V <- Seen, V =/= 12],
    gen_server:stop(Hub).

subscriber(Hub, Main) ->
    {ok, Value} = gen_server:call(Hub, {subscribe, price}),
    Main ! {ready, self()},
    loop(Value).

loop(Value) ->
    receive
        {topic, price, New} -> loop(New);
        {report, From} -> From ! {seen, self(), Value}
    end.

publish(Hub, Topic, V) -> gen_server:call(Hub, {publish, Topic, V}).

init([]) -> {ok, #hub{}}.

handle_call({forward, P, M}, _, S) -> P ! M, {reply, ok, S};
handle_call({subscribe, T}, {P, _}, H = #hub{values = Vs, subs = Subs}) ->
    Old = maps:get(T, Subs, []),
    {reply, maps:find(T, Vs), H#hub{subs = Subs#{T => [P | Old]}}};
handle_call({publish, T, V}, _, H = #hub{values = Vs, subs = Subs}) ->
    lists:foreach(fun(P) -> P ! {topic, T, V} end, maps:get(T, Subs, [])),
    {reply, ok, H#hub{values = Vs#{T => V}}}.

handle_cast(_, S) -> {noreply, S}.
