%% What failing calls about processes tell in their stack traces.
-module(bad_calls).
-export([main/0]).

main() ->
    P = self(),
    R = make_ref(),
    F = fun() -> ok end,
    Calls = [
        {monitor, [foo, bar]}, {monitor, [process, 1]}, {monitor, [process, {a, b, c}]}, {monitor, [port, P]}, {monitor, [1, P]},
        {monitor, [process, P, [foo]]}, {monitor, [process, P, [{alias, foo}]]}, {monitor, [process, P, foo]}, {monitor, [foo, bar, [foo]]},
        {monitor, [process, 1, [foo]]}, {monitor, [foo, bar, []]}, {monitor, [process, P, [{tag, 1} | x]]},
        {monitor, [time_offset, foo]}, {monitor, [port, foo]}, {monitor, [process, {a, 1}]},
        {demonitor, [P]}, {demonitor, [R, [foo]]}, {demonitor, [R, foo]}, {demonitor, [R, [flush | x]]},
        {spawn_opt, [F, [foo]]}, {spawn_opt, [F, [{priority, foo}]]}, {spawn_opt, [F, foo]}, {spawn_opt, [F, [link | x]]},
        {spawn_opt, [foo, []]}, {spawn_opt, [foo, [foo]]}, {spawn_opt, [lists, seq, [1, 2], [foo]]}, {spawn_opt, [lists, seq, foo, [foo]]},
        {spawn_opt, [lists, seq, foo, []]}, {spawn_opt, [lists, seq, [1, 2], [{monitor, [foo]}]]}, {spawn_opt, [F, [{monitor, foo}]]},
        {spawn_opt, [F, [{max_heap_size, -1}]]}, {spawn_opt, [F, [{min_heap_size, foo}]]}, {spawn_opt, [1, lists, [link]]},
        {spawn_request, [F, [foo]]}, {spawn_request, [F, [{reply, foo}]]}, {spawn_request, [F, foo]}, {spawn_request, [foo, []]},
        {spawn_request, [foo]}, {spawn_request_abandon, [P]},
        {spawn, [1]}, {spawn, [lists, 1, []]}, {spawn, [lists, seq, x]}, {spawn_link, [1]}, {spawn_link, [lists, seq, x]},
        {spawn_monitor, [1]}, {spawn_monitor, [lists, seq, x]}, {spawn_monitor, [fun(_) -> ok end]},
        {link, [1]}, {link, [foo]}, {unlink, [1]}, {exit, [1, foo]}, {exit, [foo, foo]}, {is_process_alive, [1]}, {is_process_alive, [foo]},
        {register, [undefined, P]}, {register, [1, P]}, {register, [a, b]}, {unregister, [no_such_name]}, {unregister, [1]}, {whereis, [1]},
        {send, [no_such_name, x]}, {send, [1, x]}, {send, [P, x, foo]}, {send, [P, x, [foo]]}, {'!', [no_such_name, x]}, {'!', [{a, b, c}, x]},
        {send_after, [foo, P, x]}, {send_after, [-1, P, x]}, {send_after, [1, 1, x]}, {send_after, [1, P, x, [foo]]}, {start_timer, [-1, P, x]},
        {cancel_timer, [foo]}, {cancel_timer, [R, [foo]]}, {cancel_timer, [R, foo]}, {read_timer, [foo]}, {read_timer, [R, foo]},
        {process_flag, [foo, true]}, {process_flag, [trap_exit, foo]}, {process_flag, [priority, foo]}, {process_flag, [P, foo, 1]},
        {process_flag, [max_heap_size, foo]}, {process_flag, [message_queue_data, foo]}, {process_flag, [save_calls, -1]},
        {process_info, [1]}, {process_info, [P, foo]}, {process_info, [P, [foo]]}, {process_info, [P, [links | foo]]}, {process_info, [foo, links]},
        {group_leader, [1, P]}, {group_leader, [P, 1]}, {alias, [foo]}, {alias, [[foo]]}, {unalias, [foo]},
        {suspend_process, [1]}, {suspend_process, [P]}, {suspend_process, [P, [foo]]}, {resume_process, [P]}, {resume_process, [1]},
        {hibernate, [1, 2, 3]}, {hibernate, [lists, seq, x]}, {halt, [foo]}, {halt, [-1]}, {halt, [1, [foo]]},
        {list_to_pid, ["foo"]}, {list_to_pid, [foo]}, {list_to_pid, ["<0.1.0"]}, {pid_to_list, [1]},
        {monitor_node, [1, true]}, {nodes, [foo]}, {nodes, [[foo]]}, {node, [1]}, 
        {unique_integer, [[foo]]}, {unique_integer, [foo]}, {monotonic_time, [foo]}, {system_time, [-1]}, {time_offset, [x]},
        {convert_time_unit, [1, foo, second]}, {register, [user, P]}],
    lists:foreach(fun call/1, Calls).

call({Function, Args}) ->
    try apply(erlang, Function, Args) of
        Value when is_atom(Value); is_integer(Value) -> io:format("~w~w: ~w~n", [Function, shown(Args), Value]);
        _ -> io:format("~w~w: a value~n", [Function, shown(Args)])
    catch
        Class:Reason:Stack ->
            [{M, F, A, Info} | _] = Stack,
            io:format("~w~w: ~w:~w ~w~n", [Function, shown(Args), Class, Reason, {M, F, length_of(A), lists:keydelete(line, 1, lists:keydelete(file, 1, Info))}])
    end.

length_of(A) when is_list(A) -> {args, length(A)};
length_of(A) -> A.

shown(Args) -> [shown1(A) || A <- Args].

shown1(A) when is_pid(A) -> a_pid;
shown1(A) when is_reference(A) -> a_ref;
shown1(A) when is_function(A) -> a_fun;
shown1(A) -> A.
