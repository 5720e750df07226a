%% Supervisors of every strategy whose children are killed, crash in start, exceed the intensity, and are significant.
-module(strategies).
-export([main/0, init/1, start_child/2, child/2]).
-behaviour(supervisor).

main() ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    [strategy(S) || S <- [one_for_one, one_for_all, rest_for_one]],
    simple(),
    intensity(),
    types(),
    significant().

strategy(S) ->
    {ok, Sup} = supervisor:start_link(?MODULE, {#{strategy => S, intensity => 10, period => 10}, [spec(N, permanent) || N <- [a, b, c]]}),
    Before = pids(Sup),
    kill(b, Before),
    settled(Sup, 3),
    After = pids(Sup),
    io:format("~p ~p~n", [S, [{N, proplists:get_value(N, Before) =:= proplists:get_value(N, After)} || N <- [a, b, c]]]),
    io:format("~p~n", [supervisor:count_children(Sup)]),
    ok = supervisor:terminate_child(Sup, a),
    io:format("~p ~p~n", [supervisor:delete_child(Sup, b), [N || {N, undefined, _, _} <- supervisor:which_children(Sup)]]),
    {ok, _} = supervisor:restart_child(Sup, a),
    ends(Sup).

simple() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {#{strategy => simple_one_for_one, intensity => 10}, [spec(x, temporary)]}),
    Ps = [begin {ok, P} = supervisor:start_child(Sup, []), P end || _ <- lists:seq(1, 5)],
    exit(hd(Ps), kill),
    settled(Sup, 4),
    io:format("~p ~p~n", [supervisor:count_children(Sup), supervisor:terminate_child(Sup, lists:last(Ps))]),
    io:format("~p~n", [length(supervisor:which_children(Sup))]),
    ends(Sup).

intensity() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {#{intensity => 2, period => 60}, [spec(n, permanent)]}),
    R = monitor(process, Sup),
    storm(Sup, R, 0).

storm(Sup, R, N) ->
    try pids(Sup) of
        [{n, P}] -> M = monitor(process, P), exit(P, kill), receive {'DOWN', M, _, _, killed} -> storm(Sup, R, N + 1); {'DOWN', M, _, _, noproc} -> storm(Sup, R, N) end;
        _ -> storm(Sup, R, N)
    catch exit:_ -> receive {'DOWN', R, _, _, W} -> io:format("~p after ~p~n", [W, N]) end, receive {'EXIT', Sup, _} -> ok end
    end.

types() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {#{intensity => 10}, [spec(p, permanent), spec(t, transient), spec(o, temporary)]}),
    [begin P = proplists:get_value(N, pids(Sup)), M = monitor(process, P), P ! {stop, normal}, receive {'DOWN', M, _, _, _} -> ok end end || N <- [p, t, o]],
    settled(Sup, 1),
    io:format("~p~n", [lists:sort([{N, is_pid(P)} || {N, P, _, _} <- supervisor:which_children(Sup)])]),
    io:format("~p~n", [supervisor:start_child(Sup, #{id => bad, start => {?MODULE, start_child, [bad, fails]}})]),
    io:format("~p~n", [element(1, supervisor:start_child(Sup, spec(p, permanent)))]),
    io:format("~p~n", [supervisor:start_child(Sup, #{id => nothing})]),
    ends(Sup).

significant() ->
    {ok, Sup} = supervisor:start_link(?MODULE, {#{auto_shutdown => any_significant}, [(spec(s, transient))#{significant => true}, spec(z, permanent)]}),
    [P] = [P || {s, P} <- pids(Sup)],
    P ! {stop, normal},
    receive {'EXIT', Sup, W} -> io:format("~p~n", [W]) end.

init(Arg) -> {ok, Arg}.
spec(N, Restart) -> #{id => N, start => {?MODULE, start_child, [N, works]}, restart => Restart, shutdown => 100}.
start_child(_, fails) -> {error, cannot};
start_child(N, works) -> proc_lib:start_link(?MODULE, child, [N, self()]).
child(_, Parent) -> proc_lib:init_ack(Parent, {ok, self()}), receive {stop, R} -> exit(R) end.
pids(Sup) -> [{N, P} || {N, P, _, _} <- supervisor:which_children(Sup), is_pid(P)].
kill(N, Ps) -> P = proplists:get_value(N, Ps), M = monitor(process, P), exit(P, kill), receive {'DOWN', M, _, _, _} -> ok end.
settled(Sup, N) -> case length(pids(Sup)) of N -> ok; _ -> timer:sleep(1), settled(Sup, N) end.
ends(Sup) -> unlink(Sup), M = monitor(process, Sup), exit(Sup, shutdown), receive {'DOWN', M, _, _, W} -> io:format("~p~n", [W]) end.
