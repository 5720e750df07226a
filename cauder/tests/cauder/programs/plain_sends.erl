%% Sends that the tracer does not instrument, and timers: an instrumented receive takes none of them.
-module(plain_sends).
-export([main/0]).
main() ->
    Me = self(),
    erlang:send_after(5, Me, tick),
    Send = fun erlang:send/2,
    Send(Me, by_fun),
    apply(erlang, send, [Me, by_apply]),
    Tick = receive tick -> tick after 30 -> none end,
    Rest = [receive M -> M after 0 -> none end || M <- [by_fun, by_apply]],
    [Tick | Rest].
