%% A process with N linked children and N entries in its dictionary asks N times how many messages it has.
-module(asks).
-export([main/1]).

main([Size]) ->
    N = list_to_integer(Size),
    [spawn_link(fun() -> receive never -> ok end end) || _ <- lists:seq(1, N)],
    [put(Key, Key) || Key <- lists:seq(1, N)],
    [{message_queue_len, 0} = process_info(self(), message_queue_len) || _ <- lists:seq(1, N)],
    exit(done).
