%% Liveness and information about processes.
-module(process_info_calls).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive stop -> ok end end), p(is_process_alive(P)), p(is_process_alive(self())),
    P ! a, P ! b, timer:sleep(5), p(process_info(P, message_queue_len)), p(process_info(P, messages)), p(process_info(P, status)), p(element(1, process_info(P, memory))), p(process_info(P, trap_exit)), p(process_info(P, links)), p(process_info(P, dictionary)), p(process_info(self(), [trap_exit, message_queue_len])), p(is_list(process_info(P))), p(lists:member(P, processes())),
    R = monitor(process, P), P ! stop, receive {'DOWN', R, _, _, _} -> ok end, p(is_process_alive(P)), p(process_info(P)), p(process_info(P, status)),
    p(try is_process_alive(x) catch error:E -> E end), p(process_flag(priority, high)), p(process_flag(priority, normal)), p(node()), p(nodes()), p(is_alive()), p(try process_flag(nope, 1) catch error:E1 -> E1 end), p(process_info(self(), current_function)), p(process_info(self(), initial_call)), p(process_info(self(), priority)).

p(X) -> io:format("~w~n", [X]).
