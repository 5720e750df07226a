%% `after 0` between two messages that are sent one after the other. It fails if exactly one of them has arrived.
-module(after_zero).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> Me ! one, Me ! two end),
    spawn(fun() -> Me ! go end),
    receive go -> ok end,
    Got = [receive M when M =/= go -> M after 0 -> none end || _ <- [1, 2]],
    true = Got =/= [one, none].
