%% m1 and m2 have no order: a look may find m1 or not.
%% causal: got missed
%% free: got missed
-module(delivery_free_look).
-export([main/0]).
-include("pause.hrl").

main() ->
    C = self(),
    spawn(fun() -> pause(), C ! m2 end),
    spawn(fun() -> pause(), C ! m1 end),
    receive m2 -> ok end,
    receive m1 -> got after 0 -> missed end.
