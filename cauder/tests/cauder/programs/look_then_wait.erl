%% A look into the mailbox before anything can be in it, and then a receive that waits.
-module(look_then_wait).
-export([main/0]).
main() ->
    Me = self(),
    spawn(fun() -> busy(100000), Me ! message end),
    case receive message -> there after 0 -> not_there end of
        not_there -> receive message -> later end;
        there -> receive more -> never end
    end.
busy(0) -> ok;
busy(N) -> busy(N - 1).
