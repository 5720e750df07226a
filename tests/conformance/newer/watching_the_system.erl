%% system_monitor of long queues, flags of processes, and devices of display_string.
-module(watching_the_system).
-export([main/0]).

main() ->
    Options = [[{long_message_queue, {5, 10}}], [{long_message_queue, {0, 1}}, busy_port], [{long_message_queue, {10, 5}}], [{long_message_queue, {5, 5}}],
               [{long_message_queue, 5}], [{long_message_queue, {a, b}}], [{long_message_queue, {-1, 5}}], [{long_gc, 100}], [long_gc]],
    [begin
         Set = try erlang:system_monitor(self(), O) of _ -> set catch error:badarg -> badarg end,
         io:format("~p ~p~n", [O, Set]),
         erlang:system_monitor(undefined)
     end || O <- Options],
    io:format("~p~n", [erlang:system_monitor()]),
    io:format("~p~n", [erlang:display_string(stdout, "out\n")]),
    [try apply(erlang, display_string, A) of R -> io:format("~p~n", [R])
     catch error:Reason:Stack ->
         [{erlang, display_string, Args, _} | _] = Stack,
         io:format("~p ~p~n", [Reason, Args])
     end || A <- [[file, "x"], [stdout, x], [stderr, [a]], [x]]],
    Heaps = [0, 1000, #{size => 0}, #{size => 5000, kill => false}, #{size => 5000, include_shared_binaries => true}, #{include_shared_binaries => false},
             #{size => 0, include_shared_binaries => x}, #{size => 0, kill => x}],
    [io:format("~p~n", [try process_flag(max_heap_size, H) of _ -> show() catch error:badarg -> badarg end]) || H <- Heaps],
    process_flag(max_heap_size, 0),
    Pid = spawn_opt(fun() -> receive stop -> ok end end, [{max_heap_size, #{size => 10000, kill => false, include_shared_binaries => true}}]),
    {max_heap_size, Of} = process_info(Pid, max_heap_size),
    io:format("~p~n", [lists:sort(maps:to_list(Of))]),
    io:format("~p ~p~n", [process_info(self(), async_dist), process_flag(async_dist, true)]),
    io:format("~p ~p~n", [process_flag(async_dist, false), process_info(self(), async_dist)]),
    io:format("~p~n", [catch process_flag(async_dist, x)]).

show() ->
    {max_heap_size, Map} = process_info(self(), max_heap_size),
    lists:sort(maps:to_list(Map)).
