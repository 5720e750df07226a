%% Flags of processes, and what process_info tells of them.
-module(process_flags).
-export([main/0]).
main() ->
    process_flag(trap_exit, true),
    F = fun(K, V) -> R = (catch process_flag(K, V)), case R of {'EXIT', {badarg, _}} -> badarg; _ -> R end end,
    [io:format("~p ~p: ~p~n", [K, V, F(K, V)]) || {K, V} <- [{error_handler, 1}, {error_handler, x}, {error_handler,error_handler}, {min_heap_size, 1000}, {min_heap_size, 233}, {min_heap_size, -1}, {min_heap_size, 1 bsl 70},{min_heap_size, 1}, {min_heap_size, 1}, {min_bin_vheap_size, 1}, {min_bin_vheap_size, 46423}, {min_bin_vheap_size, 46422}, {max_heap_size, 0}, {max_heap_size, #{size=>100000,kill=>false}}, {max_heap_size, foo}, {max_heap_size, #{kill => false}}, {max_heap_size, 10}, {max_heap_size, 0}, {max_heap_size, #{size => 0, kill => true}}, {max_heap_size, #{size => 0, foo => true}}, {message_queue_data, off_heap}, {message_queue_data, x}, {message_queue_data, on_heap}, {priority, low}, {priority, normal}, {priority, x}, {save_calls, 3}, {save_calls, 0}, {save_calls, -1}, {save_calls, 10001}, {sensitive, true}, {sensitive, false}, {sensitive, x}, {fullsweep_after, 2}, {fullsweep_after, 70000}, {fullsweep_after, 65535}, {fullsweep_after, x}, {trap_exit, x}, {trap_exit, true}, {nonsense, 1}, {"x", 1}]],
    Q = spawn_opt(fun() -> receive x -> ok end end, [{priority, high}, {min_heap_size, 500}, {min_bin_vheap_size, 50000}, {fullsweep_after, 3}, {message_queue_data, off_heap}, {max_heap_size, 100000}]),
    timer:sleep(10),
    [io:format("~p: ~p~n", [I, begin R = (catch process_info(Q, I)), case R of {'EXIT', {badarg, _}} -> badarg; _ -> R end end]) || I <- [priority, min_heap_size, min_bin_vheap_size, fullsweep_after, message_queue_data, max_heap_size, garbage_collection, error_handler, catchlevel, last_calls, binary, sequential_trace_token, suspending, trace, {dictionary, a}, save_calls, sensitive, nonsense, async_dist]],
    io:format("~p~n", [catch process_info(Q, [])]),
    io:format("~p~n", [process_info(Q, [status, status, registered_name])]),
    B = fun(O) -> case catch spawn_opt(fun() -> ok end, O) of P when is_pid(P) -> ok; {'EXIT', {R, _}} -> R end end,
    io:format("~p~n", [[B(O) || O <- [[{priority, x}], [{min_heap_size, x}], [{min_heap_size, -1}], [{max_heap_size, 1}], [{max_heap_size, x}], [{message_queue_data, x}], [{fullsweep_after, x}], [{foo, x}], [foo], [link | x], x]]]),
    G = fun(P, K, V) -> R = (catch process_flag(P, K, V)), case R of {'EXIT', {badarg, _}} -> badarg; _ -> R end end,
    Z = spawn(fun() -> ok end), timer:sleep(5),
    io:format("~p~n", [[G(Pid, K, V) || Pid <- [Q, self(), x, Z], {K,V} <- [{save_calls, 0}, {trap_exit, true}, {priority, low}, {save_calls, x}]]]),
    spawn(fun() -> put(a, 1), self() ! m, process_flag(sensitive, true), io:format("~p~n", [process_info(self(), [dictionary, messages])]) end),
    timer:sleep(5),
    done.
