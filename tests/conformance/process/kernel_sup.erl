%% What the supervisor of `kernel` says of itself and of those that it has started.
-module(kernel_sup).
-export([main/0]).
main() ->
    Children = supervisor:which_children(kernel_sup),
    [io:format("~p~n", [{Id, Pid =:= whereis(Name), Type, Modules}])
     || {Id, Name} <- [{rex, rex}, {inet_db, inet_db}, {file_server_2, file_server_2}, {global_name_server, global_name_server}, {code_server, code_server},
                       {kernel_safe_sup, kernel_safe_sup}, {logger_sup, logger_sup}, {net_sup, net_sup}, {standard_error, standard_error_sup}],
        {Child, Pid, Type, Modules} <- Children, Child =:= Id],
    io:format("~p~n", [element(1, sys:get_state(kernel_sup))]),
    io:format("~p~n", [[element(N, sys:get_state(whereis(kernel_sup))) || N <- [2, 3]]]),
    {status, Pid, Module, Items} = sys:get_status(kernel_sup),
    io:format("~p ~p ~p ~p~n", [Pid =:= whereis(kernel_sup), Module, length(Items), lists:nth(2, Items)]),
    {links, Links} = process_info(whereis(kernel_sup), links),
    io:format("~p~n", [[lists:member(whereis(Name), Links) || Name <- [rex, inet_db, code_server, logger_sup]]]).
