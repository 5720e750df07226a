%% A helper is stopped while its owner waits for an answer; the owner waits for ever. The fix: it also waits for the end.
-module(lost_exit).
-export([main/0]).

main() ->
    Me = self(),
    Helper = spawn(fun() -> receive {ask, From} -> From ! answer end end),
    spawn(fun() -> exit(Helper, shutdown), Me ! killed end),
    Helper ! {ask, self()},
    receive killed -> ok end,
    receive answer -> ok end.
