%% Functions of the module erlang that are written in Erlang take the place of a caller that calls them last; those of the machine do not.
-module(replaced_frames).
-export([main/0]).

main() ->
    S = self(),
    [show(F) || F <- [
        fun() -> erlang:suspend_process(S) end, fun() -> erlang:suspend_process(x, []) end, fun() -> erlang:resume_process(x) end,
        fun() -> erlang:process_flag(x, y, z) end, fun() -> erlang:send_nosuspend(1.0, x) end, fun() -> erlang:send_nosuspend(1.0, x, []) end,
        fun() -> erlang:halt(-1) end, fun() -> erlang:halt(0, [x]) end, fun() -> erlang:monitor(process, 1) end, fun() -> erlang:demonitor(1) end,
        fun() -> erlang:link(x) end, fun() -> erlang:unlink(x) end, fun() -> erlang:exit(x, y) end, fun() -> erlang:register(1, 2) end,
        fun() -> erlang:spawn(x) end, fun() -> erlang:spawn(1, 2, 3) end, fun() -> erlang:spawn(node(), 1, 2, 3) end,
        fun() -> erlang:spawn_link(x) end, fun() -> erlang:spawn_link(1, 2, 3) end, fun() -> erlang:spawn_link(node(), 1, 2, 3) end,
        fun() -> erlang:spawn_monitor(x) end, fun() -> erlang:spawn_monitor(1, 2, 3) end, fun() -> erlang:spawn_opt(x, []) end,
        fun() -> erlang:spawn_opt(fun() -> ok end, [x]) end, fun() -> erlang:spawn_opt(1, 2, 3, []) end, fun() -> erlang:spawn_request(x) end,
        fun() -> erlang:group_leader(x, y) end, fun() -> erlang:memory(x) end, fun() -> erlang:statistics(x) end, fun() -> erlang:system_info(x) end,
        fun() -> erlang:localtime_to_universaltime(x) end,
        fun() -> erlang:universaltime_to_localtime(x) end, fun() -> erlang:process_info(x) end, fun() -> erlang:cancel_timer(x) end,
        fun() -> erlang:send_after(x, y, z) end, fun() -> erlang:monotonic_time(x) end, fun() -> erlang:unique_integer(x) end,
        fun() -> erlang:fun_info(x, y) end, fun() -> erlang:atom_to_binary(1, utf8) end,
        fun() -> erlang:binary_to_existing_atom(1) end, fun() -> erlang:binary_to_existing_atom(<<"never made">>) end,
        fun() -> erlang:alias(x) end, fun() -> erlang:nodes(x) end, fun() -> erlang:is_process_alive(x) end]].

show(F) ->
    try F()
    catch
        Class:Reason:Stack ->
            [{M, N, A, _}, {_, Caller, _, _} | _] = Stack,
            Arity = if is_list(A) -> length(A); true -> A end,
            io:format("~p ~p ~p:~p/~p called by ~s~n", [Class, Reason, M, N, Arity, if Caller =:= show -> "nobody"; true -> "a fun" end])
    end.
