%% B polls the name that an end frees, and tells the main process, which waits for 'DOWN'.
%% causal: [down,gone] [gone,down] [alive,down] [down,alive]
%% free: [down,gone] [gone,down] [alive,down] [down,alive]
-module(delivery_poller).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    A = spawn(fun() -> register(delivery_name, self()), C ! ready, receive stop -> ok end end),
    receive ready -> ok end,
    monitor(process, A),
    crowd(A),
    spawn(fun() -> pause(), pause(), C ! case whereis(delivery_name) of undefined -> gone; _ -> alive end end),
    pause(),
    A ! stop,
    [case Got of {'DOWN', _, _, _, _} -> down; _ -> Got end || Got <- all(2)].
