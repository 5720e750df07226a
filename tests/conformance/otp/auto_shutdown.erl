%% auto_shutdown with all strategies, types of children and reasons.
-module(auto_shutdown).
-export([main/0, init/1, start/1]).
init(X) -> X.
start(How) -> {ok, spawn_link(fun() -> receive stop -> exit(How) end end)}.
main() ->
    process_flag(trap_exit, true),
    logger:set_primary_config(level, none),
    [one(A, Strategy, Type, Why) || A <- [never, any_significant, all_significant, sometimes], Strategy <- [simple_one_for_one, one_for_one], Type <- [temporary, transient, permanent], Why <- [normal, crash]],
    ok.
one(A, Strategy, Type, Why) ->
    Spec = #{id => a, start => {auto_shutdown, start, case Strategy of simple_one_for_one -> []; _ -> [Why] end}, restart => Type, significant => A =/= never},
    R = supervisor:start_link(auto_shutdown, {ok, {#{auto_shutdown => A, strategy => Strategy, intensity => 50}, [Spec]}}),
    io:format("~p ~p ~p ~p: ~p~n", [A, Strategy, Type, Why, case R of {ok, _} -> ok; _ -> R end]),
    case R of
        {ok, Sup} ->
            Pids = case Strategy of
                simple_one_for_one -> [element(2, supervisor:start_child(Sup, [Why])) || _ <- [1, 2]];
                _ -> [P || {_, P, _, _} <- supervisor:which_children(Sup)] ++ case supervisor:start_child(Sup, Spec#{id => b}) of {ok, P} -> [P]; E -> io:format("  ~p~n", [E]), [] end
            end,
            lists:foreach(fun(P) -> P ! stop, receive {'EXIT', Sup, W} -> io:format("  ended: ~p~n", [W]) after 60 -> io:format("  ~p~n", [case catch supervisor:count_children(Sup) of {'EXIT', {W, _}} -> W; Counts -> Counts end]) end end, Pids);
        _ -> ok
    end,
    receive {'EXIT', _, _} -> ok after 0 -> ok end,
    case R of {ok, S} -> unlink(S), exit(S, kill), timer:sleep(1); _ -> ok end.
