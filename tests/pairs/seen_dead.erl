%% The process that main looks at may have been stopped before.
-module(seen_dead).
-export([main/0]).
main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    spawn(fun() -> P ! stop end),
    true = lists:member(P, processes()),
    {message_queue_len, _} = process_info(P, message_queue_len),
    ok.
