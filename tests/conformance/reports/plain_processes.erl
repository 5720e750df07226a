%% What the default logger prints of processes that end by an error of their own.
-module(plain_processes).
-export([main/0, fails/1, deep/1, own/2]).

main() ->
    one(fun() -> error(reason) end),
    one(fun() -> exit(reason) end),
    one(fun() -> throw(reason) end),
    one(fun() -> error({bad_thing, [1, 2, 3], "text", <<"binary">>}) end),
    one(fun() -> fails(badmatch) end),
    one(fun() -> fails(case_clause) end),
    one(fun() -> fails(if_clause) end),
    one(fun() -> fails(function_clause) end),
    one(fun() -> fails(badarith) end),
    one(fun() -> fails(badarg) end),
    one(fun() -> fails(badkey) end),
    one(fun() -> fails(badmap) end),
    one(fun() -> fails(badfun) end),
    one(fun() -> fails(badarity) end),
    one(fun() -> fails(try_clause) end),
    one(fun() -> fails(undef_function) end),
    one(fun() -> fails(undef_module) end),
    one(fun() -> fails(system_limit) end),
    one(fun() -> fails(timeout_value) end),
    one(fun() -> fails(badrecord) end),
    one(fun() -> fails(long_badmatch) end),
    one(fun() -> fails(long_text) end),
    one(fun() -> fails(unicode) end),
    one(fun() -> fails(noproc) end),
    one(fun() -> deep(40) end),
    one({?MODULE, own, [abc, "arguments"]}),
    one({?MODULE, own, [1, {2, "three"}]}),
    one({?MODULE, no_such_function, [a, b]}),
    one({no_such_module, f, []}),
    one({?MODULE, deep, [0]}),
    one(fun() -> erlang:raise(error, raised, []) end),
    one(fun() -> erlang:raise(error, raised, [{a, b, 1, []}, {c, d, [x, y], [{file, "some.erl"}, {line, 7}]}]) end),
    one(fun() -> erlang:raise(throw, thrown, [{a, b, 1, []}]) end),
    one(fun() -> erlang:error(with_arguments, [1, 2]) end),
    one(fun() -> erlang:error(none) end),
    one(fun() -> link(spawn(fun() -> receive after infinity -> ok end end)), error(linked) end),
    register(known, spawn(fun() -> receive go -> error(registered) end end)),
    known ! go,
    timer:sleep(5),
    linked_to_another(),
    done.

%% One process after the other, so that the reports come in order.
one(F) ->
    {_, Ref} =
        case F of
            {M, F1, A} -> spawn_monitor(M, F1, A);
            _ -> spawn_monitor(F)
        end,
    receive {'DOWN', Ref, process, _, Reason} -> io:format("~p~n", [reason(Reason)]) end.

reason({R, [{_, _, _, _} | _]}) -> R;
reason(R) -> R.

linked_to_another() ->
    process_flag(trap_exit, true),
    Pid = spawn_link(fun() -> Other = spawn_link(fun() -> receive after infinity -> ok end end), receive go -> error({linked, is_pid(Other)}) end end),
    Pid ! go,
    receive {'EXIT', Pid, {R, _}} -> io:format("~p~n", [R]) end.

-record(r, {a}).

fails(badmatch) -> {ok, _} = id({error, enoent});
fails(case_clause) -> case id(7) of 8 -> ok end;
fails(if_clause) -> X = id(1), if X > 2 -> ok end;
fails(function_clause) -> clause(id([1, 2, 3]), id({a, <<"b">>}));
fails(badarith) -> 1 / id(0);
fails(badarg) -> list_to_atom(id(17));
fails(badkey) -> maps:get(id(k), #{a => 1});
fails(badmap) -> maps:get(k, id(not_a_map));
fails(badfun) -> (id(not_a_fun))(1);
fails(badarity) -> (id(fun ?MODULE:fails/1))(1, 2);
fails(try_clause) -> try id(1) of 2 -> ok catch _:_ -> ok end;
fails(undef_function) -> lists:no_such_function(1, 2);
fails(undef_module) -> (id(no_module_of_that_name)):f(x);
fails(system_limit) -> list_to_atom(lists:duplicate(id(300), $a));
fails(timeout_value) -> receive after id(-1) -> ok end;
fails(badrecord) -> (id(#{}))#r.a;
fails(long_badmatch) -> short = id([{N, list_to_atom("atom_" ++ integer_to_list(N)), lists:seq(1, N)} || N <- lists:seq(1, 30)]);
fails(long_text) -> short = id(lists:duplicate(300, $x));
fails(unicode) -> error({"zażółć gęślą", <<"zażółć"/utf8>>, 'gęślą'});
fails(noproc) -> nobody_has_this_name ! hello.

clause(a, b) -> ok.

deep(0) -> list_to_atom(id([]) ++ id(deep));
deep(N) -> 1 + deep(N - 1).

own(A, B) when is_integer(A) -> A + B.

id(X) -> X.
