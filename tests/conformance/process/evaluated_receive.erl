%% `receive` in code that erl_eval runs: what it takes, in which order, what it leaves, and when it gives up.
-module(evaluated_receive).
-export([main/0]).

main() ->
    lists:foreach(fun shown/1, [
        {"receive X -> X end.", [a, b]},
        {"receive {two, X} -> X end.", [one, {two, 2}, {two, 3}]},
        {"receive X when is_integer(X), X > 5 -> {big, X}; {_, X} -> {pair, X} end.", [1, [2], 9, {a, b}]},
        {"receive X when is_integer(X), X > 5 -> {big, X}; {_, X} -> {pair, X} end.", [1, [2], {a, b}, 9]},
        {"receive nothing -> 1 after 0 -> 2 end.", [a]},
        {"receive a -> 1 after 0 -> 2 end.", [b, a]},
        {"receive nothing -> 1 after 10 -> late end.", [a, b]},
        {"receive _ -> 1 after 0 -> 2 end.", []},
        {"receive after 5 -> slept end.", [a]},
        {"receive after 0 -> X = 1, X + 1 end.", [a]},
        {"T = 3, receive a -> 1 after T * 2 -> {waited, T} end.", []},
        {"receive a -> 1 after infinity -> 2 end.", [a]},
        {"receive a -> 1 after bad -> 2 end.", [a]},
        {"receive a -> 1 after bad -> 2 end.", [b]},
        {"receive a -> 1 after -1 -> 2 end.", [b]},
        {"receive a -> 1 after 1.0 -> 2 end.", []},
        {"receive a -> 1 after 1 bsl 32 -> 2 end.", []},
        {"receive X when X + 1 > 3 -> X end.", [a, 1, 4]},
        {"receive {A, B} -> ok end, receive A -> {A, B} end.", [2, {1, 2}, 3, 1]},
        {"A = 1, receive {A, B} -> B end.", [{2, x}, {1, y}]},
        {"receive X -> receive Y -> {Y, X} end end.", [first, second]},
        {"F = fun(P) -> receive {P, X} -> X after 0 -> none end end, [F(1), F(2), F(3)].", [{2, b}, {1, a}]},
        {"L = fun L(Acc) -> receive stop -> lists:reverse(Acc); X -> L([X | Acc]) end end, L([]).", [1, 2, 3, stop, 4]},
        {"try receive X -> throw(X) end catch throw:Y -> {thrown, Y} end.", [ball]},
        {"receive <<N:8, R/binary>> -> {N, R} end.", [<<>>, <<1, 2, 3>>]},
        {"receive #{k := V} -> V end.", [#{}, #{k => v, l => w}]},
        {"receive 1 -> int end, receive 1.0 -> float end.", [1.0, 1]},
        {"X = receive {x, V} -> V end, {X, V}.", [{x, 7}]}
    ]),
    waits(),
    server().

%% In a process of its own: the value, the bindings, what is left in the mailbox.
shown({Text, Messages}) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {_, Ref} = spawn_monitor(fun() ->
        [self() ! M || M <- Messages],
        Result = try erl_eval:exprs(Exprs, [])
        catch Class:Reason -> {Class, Reason}
        end,
        exit({Result, process_info(self(), messages)})
    end),
    receive
        {'DOWN', Ref, _, _, {{value, Value, Bindings}, Left}} ->
            io:format("~s~n    ~p ~p ~p~n", [Text, Value, [B || {_, V} = B <- Bindings, not is_function(V)], Left]);
        {'DOWN', Ref, _, _, Reason} -> io:format("~s~n    ~p~n", [Text, Reason])
    end.

%% Messages come while it waits, and so does the end of another process.
waits() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {got, value("receive {last, X} -> X end.")} end),
    [begin Pid ! M, timer:sleep(2) end || M <- [a, {first, 1}, b, {last, 2}, c]],
    io:format("~p~n", [receive {got, V} -> V end]),
    Other = spawn_link(fun() -> Self ! {got, value("process_flag(trap_exit, true), receive {'EXIT', _, R} -> {exit, R} after 5000 -> late end.")} end),
    timer:sleep(5),
    exit(Other, gone),
    io:format("~p~n", [receive {got, W} -> W end]),
    {Third, Ref} = spawn_monitor(fun() -> value("receive never -> ok end.") end),
    timer:sleep(5),
    exit(Third, killed_while_waiting),
    io:format("~p~n", [receive {'DOWN', Ref, _, _, Why} -> Why end]).

%% A server whose loop is evaluated.
server() ->
    Pid = spawn(fun() ->
        value("L = fun L(N) -> receive {add, M} -> L(N + M); {get, P} -> P ! {sum, N}, L(N); stop -> ok after 2000 -> late end end, L(0).")
    end),
    [Pid ! {add, N} || N <- lists:seq(1, 10)],
    Pid ! {get, self()},
    io:format("~p~n", [receive {sum, N} -> N after 1000 -> none end]),
    Ref = monitor(process, Pid),
    Pid ! stop,
    io:format("~p~n", [receive {'DOWN', Ref, _, _, Reason} -> Reason after 1000 -> none end]).

value(Text) ->
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, Exprs} = erl_parse:parse_exprs(Tokens),
    {value, Value, _} = erl_eval:exprs(Exprs, []),
    Value.
