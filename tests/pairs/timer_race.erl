%% A timer is cancelled too late: its message lies in the mailbox. The fix takes it out.
-module(timer_race).
-export([main/0]).

main() ->
    Me = self(),
    spawn(fun() -> receive after 1 -> Me ! answer end end),
    Timer = erlang:start_timer(3, Me, late),
    First = receive answer -> answer; {timeout, Timer, late} -> late end,
    spawn(fun() -> receive after 2 -> Me ! noted end end),
    receive noted -> ok end,
    stop_timer(Timer),
    case First of answer -> ok; late -> receive answer -> ok end end,
    receive Other -> error({stray, element(1, Other)}) after 0 -> ok end.

stop_timer(Timer) -> erlang:cancel_timer(Timer).
