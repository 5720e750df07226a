%% node: first
-module(signals_between).
-export([main/0, echo/0, wait/0]).

host() ->
    list_to_atom(tl(lists:dropwhile(fun(C) -> C =/= $@ end, atom_to_list(node())))).

on(Name) -> list_to_atom(lists:concat([Name, "@", host()])).

echo() ->
    receive
        {From, stop} -> From ! {self(), stopped};
        {From, X} -> From ! {self(), X}, echo()
    end.

wait() -> receive go -> ok end.

main() ->
    process_flag(trap_exit, true),
    {ok, One} = slave:start(host(), one),
    Gone = on(gone),
    E = spawn(One, ?MODULE, echo, []),
    E ! {self(), hello},
    receive {E, X} -> io:format("~p~n", [X]) end,
    %% names
    true = rpc:call(One, erlang, register, [echo, E]),
    io:format("~p ~p~n", [whereis(echo), rpc:call(One, erlang, whereis, [echo]) =:= E]),
    {echo, One} ! {self(), by_name},
    receive {E, Y} -> io:format("~p~n", [Y]) end,
    io:format("~p~n", [[{nobody, One} ! a, {nobody, Gone} ! b, {nobody, node()} ! c]]),
    R1 = monitor(process, {nobody, One}),
    receive {'DOWN', R1, process, {nobody, One}, W1} -> io:format("~p~n", [W1]) end,
    R2 = monitor(process, {nobody, Gone}),
    receive {'DOWN', R2, process, {nobody, Gone}, W2} -> io:format("~p~n", [W2]) end,
    R3 = monitor(process, {echo, One}),
    E ! {self(), stop},
    receive {'DOWN', R3, process, {echo, One}, W3} -> io:format("~p~n", [W3]) end,
    receive {E, stopped} -> io:format("stopped~n") end,
    %% links, monitors and exit signals
    L = spawn_link(One, ?MODULE, wait, []),
    exit(L, bye),
    receive {'EXIT', L, W4} -> io:format("~p~n", [W4]) end,
    {K, RK} = spawn_monitor(One, ?MODULE, wait, []),
    exit(K, kill),
    receive {'DOWN', RK, process, K, W5} -> io:format("~p~n", [W5]) end,
    link(K),
    receive {'EXIT', K, W6} -> io:format("~p~n", [W6]) end,
    %% the node goes away
    A = spawn_link(One, ?MODULE, wait, []),
    {B, RB} = spawn_monitor(One, ?MODULE, wait, []),
    C = spawn_opt(One, ?MODULE, wait, [], [link, monitor]),
    D = spawn_request(One, ?MODULE, wait, [], [monitor, {reply_tag, made}]),
    DP = receive {made, D, ok, Pid} -> Pid end,
    ok = slave:stop(One),
    receive {'EXIT', A, W7} -> io:format("~p~n", [W7]) end,
    receive {'DOWN', RB, process, B, W8} -> io:format("~p~n", [W8]) end,
    {CP, RC} = C,
    receive {'DOWN', RC, process, CP, W9} -> io:format("~p~n", [W9]) end,
    receive {'EXIT', CP, W10} -> io:format("~p~n", [W10]) end,
    receive {'DOWN', D, process, DP, W11} -> io:format("~p~n", [W11]) end,
    E ! {self(), lost},
    link(A),
    receive {'EXIT', A, W12} -> io:format("~p~n", [W12]) end,
    R4 = monitor(process, A),
    receive {'DOWN', R4, process, A, W13} -> io:format("~p~n", [W13]) end,
    %% spawns that fail
    S = spawn_request(Gone, ?MODULE, wait, []),
    receive {spawn_reply, S, Res, W14} -> io:format("~p ~p~n", [Res, W14]) end,
    S2 = spawn_request(?MODULE, wait, [], [{reply, no}]),
    io:format("~p ~p~n", [is_reference(S2), spawn_request_abandon(S2)]),
    receive Rest -> io:format("~p~n", [Rest]) after 100 -> io:format("nothing~n") end.
