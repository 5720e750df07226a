%% A hub accepts subscriptions only when it is ready; before, it throws unknown messages away. One subscriber is too early.
%% Cause: the hub received {subscribe, s1} while it was still loading and threw it away.
-module(topics).
-export([main/0]).

main() ->
    Me = self(),
    Hub = spawn_link(fun() -> loading([]) end),
    Loader = spawn_link(fun() -> timer:sleep(2), Hub ! {loaded, [news, sport]} end),
    Subs = [spawn_link(fun() -> subscriber(Hub, Name, Wait, Me) end) || {Name, Wait} <- [{s1, 1}, {s2, 4}]],
    timer:sleep(8),
    Hub ! {publish, news, "first"},
    Got = [receive {got, Name, Text} -> {Name, Text} after 100 -> {Name, nothing} end || Name <- [s1, s2]],
    [exit({not_delivered_to, Name}) || {Name, nothing} <- Got],
    {Loader, Subs}.

subscriber(Hub, Name, Wait, Parent) ->
    timer:sleep(Wait),
    Hub ! {subscribe, Name, self()},
    receive {news, Text} -> Parent ! {got, Name, Text} end.

loading(_) ->
    receive
        {loaded, Topics} -> ready(Topics, []);
        _Other -> loading([])
    end.

ready(Topics, Subscribers) ->
    receive
        {subscribe, Name, Pid} -> ready(Topics, [{Name, Pid} | Subscribers]);
        {publish, Topic, Text} ->
            true = lists:member(Topic, Topics),
            [Pid ! {Topic, Text} || {_, Pid} <- Subscribers],
            ready(Topics, Subscribers)
    end.
