%% The signals of one end leave one after the other: B relays before the main process has its own 'DOWN'.
%% causal: [own,relay] [relay,own]
%% free: [own,relay] [relay,own]
-module(delivery_relay).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    A = spawn(fun() -> receive stop -> ok end end),
    crowd(A),
    spawn(fun() -> monitor(process, A), C ! ready, receive {'DOWN', _, _, _, _} -> C ! relay end end),
    receive ready -> ok end,
    monitor(process, A),
    crowd(A),
    A ! stop,
    [case Got of relay -> relay; {'DOWN', _, _, _, _} -> own end || Got <- all(2)].
