%% An admin changes the mode by way of a broker, then tells the worker directly to start. The start overtakes the mode.
%% Cause: `start` was sent directly and arrived before {set, mode, fast}, which went by way of the broker.
-module(config).
-export([main/0]).

main() ->
    Me = self(),
    Worker = spawn_link(fun() -> worker(#{mode => none}, Me) end),
    Broker = spawn_link(fun() -> broker([Worker]) end),
    Broker ! {publish, {set, name, "w1"}},
    receive {set_done, name} -> ok end,
    Broker ! {publish, {set, mode, fast}},
    Worker ! start,
    receive {started, fast} -> ok; {started, Mode} -> exit({started_in_mode, Mode}) end.

broker(Subscribers) ->
    receive {publish, M} -> [S ! M || S <- Subscribers], broker(Subscribers) end.

worker(Settings, Admin) ->
    receive
        {set, K, V} -> Admin ! {set_done, K}, worker(Settings#{K => V}, Admin);
        start -> Admin ! {started, maps:get(mode, Settings)}, worker(Settings, Admin)
    end.
