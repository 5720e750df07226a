%% Every exit reason of the chapter "Errors and Error Handling" of the reference manual, and those that the language and its newer expressions
%% add: caught with its stack trace, by `catch`, and uncaught in a process of its own.
-module(reference_manual).
-export([main/0, id/1]).
-record(point, {x = 0, y = 0}).

main() ->
    lists:foreach(fun each/1, cases()),
    io:format("~w cases~n", [length(cases())]).

cases() ->
    [{badarg, fun() -> atom_to_list(id(1)) end},
     {badarg_operator, fun() -> id(a) ++ [b] end},
     {badarg_send, fun() -> id(no_such_name) ! hello end},
     {badarg_and, fun() -> id(maybe_so) and true end},
     {badarg_andalso, fun() -> id(1) andalso true end},
     {badarg_segment, fun() -> <<(id(a)):8>> end},
     {badarith, fun() -> id(a) + 1 end},
     {badarith_zero, fun() -> 1 div id(0) end},
     {badarith_float, fun() -> id(1.0e300) * id(1.0e300) end},
     {badarith_shift, fun() -> id(1.5) bsl 2 end},
     {badmatch, fun() -> {ok, X} = id({error, nope}), X end},
     {badmatch_map, fun() -> #{a := X} = id(#{b => 1}), X end},
     {badmatch_bits, fun() -> <<X:16>> = id(<<1>>), X end},
     {function_clause, fun() -> one(id(2)) end},
     {function_clause_two, fun() -> two(id(a), id("b")) end},
     {function_clause_fun, fun() -> (id(fun(1) -> one end))(2) end},
     {function_clause_library, fun() -> lists:nth(id(0), [a]) end},
     {case_clause, fun() -> case id({1, 2}) of {1, 1} -> a; [_ | _] -> b end end},
     {if_clause, fun() -> X = id(3), if X > 5 -> a; X < 0 -> b end end},
     {try_clause, fun() -> try id(x) of y -> z catch throw:_ -> w end end},
     {try_clause_not_caught, fun() -> try id(x) of y -> z catch _:_ -> w end end},
     {undef_module, fun() -> no_such_module:f(id(1), 2) end},
     {undef_function, fun() -> lists:no_such_function(id(1)) end},
     {undef_apply, fun() -> apply(id(reference_manual), id(nope), [1, 2]) end},
     {badfun, fun() -> (id(not_a_fun))(1) end},
     {badfun_zero, fun() -> (id(17))() end},
     {badarity, fun() -> (id(fun erlang:abs/1))(1, 2) end},
     {timeout_value, fun() -> receive after id(-1) -> ok end end},
     {timeout_value_atom, fun() -> receive x -> y after id(soon) -> ok end end},
     {noproc, fun() -> gen_server:call(id(no_such_server), hello) end},
     {noproc_link, fun() -> link(ended()) end},
     {noproc_monitor, fun() -> R = monitor(process, ended()), receive {'DOWN', R, process, _, Reason} -> exit(Reason) end end},
     {noconnection, fun() -> R = monitor(process, {x, 'no@where'}), receive {'DOWN', R, _, _, Reason} -> exit(Reason) end end},
     {noconnection_exit, fun() -> process_flag(trap_exit, true), P = spawn_link('no@where', lists, seq, [1, 2]), receive {'EXIT', P, Reason} -> exit(Reason) end end},
     {nodedown, fun() -> gen_server:call({x, 'no@where'}, hello) end},
     {nocatch, fun() -> throw(id(ball)) end},
     {nocatch_tuple, fun() -> throw({not_caught, id(1)}) end},
     {system_limit_atom, fun() -> list_to_atom(lists:duplicate(id(256), $x)) end},
     {system_limit_shift, fun() -> 1 bsl id(1 bsl 80) end},
     {system_limit_tuple, fun() -> erlang:make_tuple(id(1 bsl 24), x) end},
     {badmap, fun() -> (id(x))#{a => 1} end},
     {badmap_get, fun() -> maps:get(k, id([])) end},
     {badmap_guard_function, fun() -> map_size(id(y)) end},
     {badkey, fun() -> (id(#{a => 1}))#{b := 2} end},
     {badkey_get, fun() -> maps:get(id(k), #{}) end},
     {badkey_map_get, fun() -> map_get(id(k), #{j => 1}) end},
     {badrecord_field, fun() -> (id(x))#point.x end},
     {badrecord_update, fun() -> (id({line, 1, 2}))#point{x = 3} end},
     {badrecord_size, fun() -> (id({point, 1}))#point.y end},
     {bad_generator, fun() -> [X || X <- id(x)] end},
     {bad_generator_tail, fun() -> [X || X <- id([1, 2 | x])] end},
     {bad_generator_bits, fun() -> [X || <<X>> <= id(x)] end},
     {bad_generator_in_bits, fun() -> <<<<X>> || X <- id(x)>> end},
     {bad_filter, fun() -> [X || X <- [1, 2], id(X)] end},
     {bad_filter_bits, fun() -> <<<<X>> || X <- [1, 2], id(none)>> end},
     {unbound, fun() -> erl_eval:expr({var, 1, 'X'}, []) end},
     {exit, fun() -> exit(id(reason)) end},
     {exit_normal, fun() -> exit(id(normal)) end},
     {exit_kill, fun() -> exit(id(kill)) end},
     {error, fun() -> error(id(reason)) end},
     {error_args, fun() -> error(id(reason), [some, args]) end},
     {error_none, fun() -> error(id(reason), none) end},
     {error_info, fun() -> error(id(badarg), [x], [{error_info, #{cause => why}}]) end},
     {raise, fun() -> erlang:raise(error, id(reason), [{m, f, 1, [{file, "m.erl"}, {line, 3}]}]) end},
     {raise_bad, fun() -> erlang:raise(error, id(reason), not_a_trace) end},
     {killed, fun() -> exit(self(), kill), wait() end},
     {linked, fun() -> spawn_link(fun() -> exit(from_another) end), wait() end}].

id(X) -> X.
one(1) -> one.
two(a, "a") -> yes;
two(b, _) -> no.
wait() -> receive never -> ok end.
ended() ->
    {P, R} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', R, _, _, _} -> P end.

each({Name, F}) ->
    io:format("~w~n", [Name]),
    Alone = Name =:= killed orelse Name =:= linked orelse Name =:= noconnection_exit,
    Alone orelse caught(F),
    {_, R} = spawn_monitor(F),
    receive {'DOWN', R, process, _, Reason} -> io:format("    process: ~p~n", [own(Reason)]) end.

caught(F) ->
    try F() of
        V -> io:format("    value: ~p~n", [V])
    catch
        Class:Reason:Stack -> io:format("    caught: ~w ~p~n      ~p~n", [Class, own(Reason), own(Stack)])
    end,
    io:format("    catch: ~p~n", [own(catch F())]).

%% Without what is a number of a process or fun, or a line of a library, or the frames of who called.
own({'EXIT', Reason}) -> {'EXIT', own(Reason)};
own({badarity, {_, Args}}) -> {badarity, {'fun', Args}};
own({badfun, F}) -> {badfun, F};
own({Reason, [{_, _, _, _} | _] = Stack}) -> {own(Reason), own(Stack)};
own([{_, _, _, _} | _] = Stack) -> [frame(Frame) || {M, _, _, _} = Frame <- Stack, M =/= init];
own(X) -> X.

frame({M, F, Args, At}) ->
    Shown = if is_list(Args) -> [shown(A) || A <- Args]; true -> Args end,
    {M, F, Shown, case M of ?MODULE -> At; m -> At; _ -> [K || {K, _} <- At, K =/= file, K =/= line] end}.

shown(P) when is_pid(P) -> pid;
shown(F) when is_function(F) -> 'fun';
shown(X) -> X.
