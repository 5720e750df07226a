%% Aliases: late replies are dropped, a server answers twice, clients crash between, reply_demonitor in crowds.
-module(alias_storm).
-export([main/0]).

main() ->
    S = spawn(fun() -> server(0) end),
    Rs = [spawn_monitor(fun() -> exit({result, client(S, N)}) end) || N <- lists:seq(1, 20)],
    Out = [receive {'DOWN', R, _, _, {result, W}} -> W; {'DOWN', R, _, _, W} -> W end || {_, R} <- Rs],
    io:format("~p~n", [lists:sort(Out)]),
    %% After everything nobody has a message left.
    A = alias([reply]), A ! one, A ! two,
    io:format("~p~n", [{receive X -> X after 10 -> none end, receive Y -> Y after 10 -> none end, unalias(A)}]),
    B = alias(), B ! one, receive one -> ok end, io:format("~p~n", [{unalias(B), unalias(B)}]), B ! three,
    io:format("~p~n", [flush([])]),
    M = monitor(process, S, [{alias, demonitor}]), demonitor(M), M ! lost,
    io:format("~p~n", [flush([])]),
    M2 = monitor(process, S, [{alias, explicit_unalias}, {tag, gone}]),
    exit(S, kill),
    io:format("~p~n", [receive {gone, M2, process, S, W2} -> W2 after 1000 -> none end]),
    M2 ! still, io:format("~p ~p ~p~n", [flush([]), unalias(M2), flush([])]),
    M3 = monitor(process, S, [{alias, reply_demonitor}]),
    io:format("~p~n", [receive {'DOWN', M3, process, S, W3} -> W3 end]),
    M3 ! late, io:format("~p~n", [flush([])]).

client(S, N) ->
    R = monitor(process, S, [{alias, reply_demonitor}]),
    S ! {request, R, N},
    N rem 5 =:= 0 andalso exit({gave_up, N}),
    T = case N rem 3 of 0 -> 0; _ -> 2000 end,
    receive
        {reply, R, X} -> {N, X, flush([])};
        {'DOWN', R, _, _, W} -> {N, W}
    after T ->
        demonitor(R, [flush]),
        receive {reply, R, X} -> {N, X, flush([])} after 0 -> {N, too_late(N)} end
    end.

too_late(_) -> late_or_not.
server(K) ->
    receive
        {request, R, N} -> N rem 3 =:= 0 andalso timer:sleep(5), R ! {reply, R, N * 2}, R ! {reply, R, twice}, server(K + 1)
    end.
flush(L) -> receive X -> flush([X | L]) after 0 -> lists:reverse(L) end.
