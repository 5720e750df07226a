%% Processes of the runtime: found by their names, alive, and the devices among them answer requests.
-module(runtime_names).
-export([main/0]).

main() ->
    Names = [user, init, logger, kernel_sup, code_server, kernel_safe_sup, file_server_2, erl_prim_loader, inet_db, rex, global_group, standard_error,
             erl_signal_server, logger_std_h_default, logger_sup, erts_code_purger, socket_registry, logger_proxy, error_logger, user_drv, net_sup, net_kernel, auth, shell, nobody],
    [io:format("~p ~p ~p~n", [N, is_pid(whereis(N)), lists:member(N, registered())]) || N <- Names],
    io:format("~p~n", [whereis(user) =:= group_leader()]),
    [io:format("~p~n", [is_process_alive(whereis(N))]) || N <- [user, init, logger]],
    [io:format("~p~n", [try register(N, self()) catch C:E -> {C, E} end]) || N <- [user, init]],
    io:format("~p ~p~n", [link(whereis(logger)), unlink(whereis(logger))]),
    io:format("~p ~p~n", [process_info(whereis(user), registered_name), process_info(whereis(init), [registered_name, status, message_queue_len])]),
    M = monitor(process, user), M2 = monitor(process, whereis(init)),
    io:format("~p~n", [receive {'DOWN', _, _, _, _} = D -> D after 10 -> none end]),
    io:format("~p ~p~n", [demonitor(M, [info]), demonitor(M2, [flush, info])]),
    user ! hello, init ! {hello}, whereis(logger) ! hello,
    io:format(user, "to ~p~n", [user]),
    [ask(D, R) || D <- [user, whereis(user), group_leader()],
                  R <- [{put_chars, unicode, "by request\n"}, {put_chars, latin1, <<"bytes\n">>}, {put_chars, unicode, io_lib, format, ["~p ~s~n", [{a, 1}, "b"]]},
                        {requests, [{put_chars, unicode, "one "}, {put_chars, unicode, "two\n"}]}, {put_chars, unicode, not_chars}, {put_chars, unicode, io_lib, format, ["~p", []]}, what]],
    io:format("~p~n", [io:request(user, {put_chars, unicode, "through io\n"})]),
    %% A group leader of our own that passes everything on.
    Leader = self(),
    {P, R} = spawn_monitor(fun() -> group_leader(Leader, self()), io:format("passed on ~p~n", [true]) end),
    pass(P, R, 0).

pass(P, R, N) ->
    receive
        {io_request, _, _, _} = Request -> user ! Request, pass(P, R, N + 1);
        {'DOWN', R, process, P, Why} -> user ! {io_request, self(), last, {put_chars, unicode, io_lib:format("~p ~p~n", [N, Why])}}, receive {io_reply, last, ok} -> ok end
    end.

ask(Device, Request) ->
    Ref = make_ref(),
    Device ! {io_request, self(), Ref, Request},
    io:format("~p~n", [receive {io_reply, Ref, X} -> X after 1000 -> none end]).
