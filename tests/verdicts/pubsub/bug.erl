%% Publish and subscribe with retained values: a subscriber reads the current value and then subscribes.
-module(pubsub).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Hub} = gen_server:start_link(?MODULE, [], []),
    Me = self(),
    spawn_link(fun() -> [publish(Hub, price, N) || N <- [10, 11, 12]], Me ! published end),
    Subs = [spawn_link(fun() -> subscriber(Hub, Me, N) end) || N <- [1, 2]],
    receive published -> ok end,
    [receive {ready, S} -> ok end || S <- Subs],
    Seen = [begin ok = gen_server:call(Hub, {forward, S, {report, self()}}), receive {seen, S, V} -> V end end || S <- Subs],
    io:format("seen ~p~n", [Seen]),
    [error({missed_update, V, 12}) || V <- Seen, V =/= 12],
    gen_server:stop(Hub).

subscriber(Hub, Main, N) ->
    Value = gen_server:call(Hub, {current, price}),
    put(name, N),
    ok = gen_server:call(Hub, {subscribe, self(), price}),
    Main ! {ready, self()},
    loop(Value).

loop(Value) ->
    receive
        {topic, price, New} -> loop(New);
        {report, From} -> From ! {seen, self(), Value}
    end.

publish(Hub, Topic, V) -> gen_server:call(Hub, {publish, Topic, V}).

init([]) -> {ok, {#{price => 9}, #{}}}.

handle_call({current, T}, _, S = {Values, _}) -> {reply, maps:get(T, Values), S};
handle_call({forward, P, M}, _, S) -> P ! M, {reply, ok, S};
handle_call({subscribe, P, T}, _, {Values, Subs}) ->
    {reply, ok, {Values, maps:update_with(T, fun(Ps) -> [P | Ps] end, [P], Subs)}};
handle_call({publish, T, V}, _, {Values, Subs}) ->
    [P ! {topic, T, V} || P <- maps:get(T, Subs, [])],
    {reply, ok, {Values#{T => V}, Subs}}.

handle_cast(_, S) -> {noreply, S}.
