%% m1 was sent before the message that is received: a look into the mailbox finds it.
%% causal: got
%% free: got missed
-module(delivery_look).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    B = spawn(fun() -> receive go -> C ! m2 end end),
    spawn(fun() -> pause(), C ! m1, B ! go end),
    receive m2 -> ok end,
    receive m1 -> got after 0 -> missed end.
