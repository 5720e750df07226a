%% Nobody stops the process before main has looked at it.
-module(seen_dead).
-export([main/0]).
main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    true = lists:member(P, processes()),
    {message_queue_len, _} = process_info(P, message_queue_len),
    P ! stop,
    ok.
